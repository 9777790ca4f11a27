"""The long run of the properties of the wire: how many inputs were tried, and did any break one?

    PYTHONPATH=tests python -m benchmarks.wire [--cases 20000] [--seed 0] [--page]

The decoder gets as many cases as are asked for, a live session a quarter of them, a real kernel few: each costs more
than the one before. `--page` writes the counts into docs/security.md.
"""

import argparse
import os
import re
import subprocess
import sys

from benchmarks.security_page import write_sentence

from autograder.course.units import ROOT

FILES = (
    "tests/autograder/sandbox/protocol",
    "tests/autograder/examiner/test_hostile_wire.py",
    "tests/autograder/examiner/test_hostile_kernel.py",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--page", action="store_true")
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--hypothesis-seed={arguments.seed}"]
    cases = os.environ | {"FUZZ_CASES": str(arguments.cases)}
    options = ["--hypothesis-show-statistics", *FILES]
    done = subprocess.run([*command, *options], env=cases, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout[-4000:])
    tried = sum(map(int, re.findall(r"- (\d+) passing, 0 failing", done.stdout)))
    sentence = f"{tried:,} inputs of the wire (seed {arguments.seed}): none broke a property."
    print(sentence)
    if arguments.page:
        write_sentence("wire", sentence)


if __name__ == "__main__":
    main()
