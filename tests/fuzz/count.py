"""Fuzz every reader for long, and write how many inputs that were into docs/security.md.

    PYTHONPATH=tests python -m fuzz.count [INPUTS [SEED]]

INPUTS for each reader, 2000 if not given, and a twentieth as many classes. The first that breaks a promise ends it.
"""

import resource
import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime

from hypothesis import HealthCheck, given, seed, settings
from hypothesis.strategies import SearchStrategy

from autograder.course.units import ROOT
from fuzz.classes import class_holds, damages
from fuzz.readers import READERS

PAGE = ROOT / "docs" / "security.md"
BEGIN, END = "<!-- fuzz -->", "<!-- end of fuzz -->"
LONGEST = 60  # seconds for one input: it hangs, or takes what nobody who grades a class has


def run(inputs: SearchStrategy, holds: Callable[[object], None], cases: int, number: int) -> tuple[int, float]:
    """How many inputs there were, and the seconds of work that the slowest was."""
    times: list[float] = []

    @seed(number)
    @settings(max_examples=cases, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(inputs)
    def each(value: object) -> None:
        signal.alarm(LONGEST)
        start = time.process_time()
        holds(value)
        times.append(time.process_time() - start)
        signal.alarm(0)

    each()
    return len(times), max(times)


def main() -> None:
    given_words = dict(enumerate(sys.argv[1:]))
    cases, number = int(given_words.get(0, "2000")), int(given_words.get(1, "1"))
    targets = {name: (reader.reads, reader.inputs, reader.holds, cases) for name, reader in READERS.items()}
    reads = "a class of three, some of one student's files damaged: everybody has one result, neighbors keep theirs"
    targets["classes"] = (reads, damages(), class_holds, cases // 20)
    rows, total = [], 0
    for name, (what, inputs, holds, most) in targets.items():
        count, slowest = run(inputs, holds, most, number)
        total += count
        rows.append(f"| {name} | {what} | {count:,} |")
        print(f"{name}: {count:,} inputs, the slowest {slowest:.2f} s", flush=True)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = f"{total:,} inputs with seed {number}, {datetime.now(UTC):%Y-%m-%d}: 0 broke a promise."
    print(f"{told} The process had at most {megabytes:,.0f} MB.")
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    table = ["| reader | what it is given | inputs |", "|:--|:--|--:|", *rows]
    PAGE.write_text("\n".join([before + BEGIN, told, "", *table, END + after]), "utf-8")


if __name__ == "__main__":
    main()
