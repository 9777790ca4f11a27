"""How long a kernel takes from being asked for to its first answer: warm ones in the sandbox beside cold ones.

python tests/benchmarks/kernels.py [--at-a-time 8] [--rounds 5]
"""

import argparse
import statistics
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from jupyter_client.manager import KernelManager

from autograder.course.units import find_unit
from autograder.examiner.assignment import Limits
from autograder.examiner.session import Session
from autograder.sandbox.zygote_pool import new_kernel

UNIT = find_unit("01")


def warm(_: int) -> float:
    start = time.monotonic()
    session = Session(new_kernel(UNIT, "bwrap"), Limits(), start + 60)
    session.run("import torch; torch.ones(3).sum()")
    seconds = time.monotonic() - start
    session.close()
    return seconds


def cold(_: int) -> float:
    start = time.monotonic()
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(stderr=subprocess.DEVNULL)
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    client.execute_interactive("import torch; torch.ones(3).sum()", output_hook=lambda message: None)
    seconds = time.monotonic() - start
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    return seconds


def seconds(start_one: Callable[[int], float], at_a_time: int, rounds: int) -> list[float]:
    """The time of each of `rounds` times `at_a_time` kernels, which are asked for all at once."""
    with ThreadPoolExecutor(at_a_time) as threads:
        return [each for _ in range(rounds) for each in threads.map(start_one, range(at_a_time))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at-a-time", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    warm(0)  # the zygote imports everything once
    print("| kernels | at a time | median, s | slowest, s |\n|:--|--:|--:|--:|")
    for kind, start_one in (("warm, in the sandbox", warm), ("cold, without one", cold)):
        for at_a_time in (1, arguments.at_a_time):
            times = seconds(start_one, at_a_time, arguments.rounds)
            print(f"| {kind} | {at_a_time} | {statistics.median(times):.2f} | {max(times):.2f} |")


if __name__ == "__main__":
    main()
