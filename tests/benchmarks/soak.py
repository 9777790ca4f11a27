"""A large class, one submission in five hostile or broken: is every one accounted for, and every honest score right?

    PYTHONPATH=tests python -m benchmarks.soak [--students 1000] [--timeout 5]

Honest submissions are those of the demonstration; each must get what it gets in a small class without trouble.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import cycle
from pathlib import Path

from attacks.attack import UNIT, attacks
from attacks.listener import listening
from builders.submissions import put_submission
from nbformat import from_dict
from nbformat.v4 import new_code_cell

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.notebooks import write_notebook
from autograder.course.units import ROOT
from autograder.demo.stories import submissions

BIN = Path(sys.executable).parent
TROUBLE = ("cheat", "hang", "crash")
ONE_IN = 5


def new_class(root: Path) -> ClassDirectory:
    directory = init_class(root)
    release_unit(directory, UNIT)
    return directory


def grade(directory: ClassDirectory, timeout: int) -> dict[str, dict]:
    """The results by student; one that is told twice is an error."""
    lines = directory.root.parent / f"{directory.root.name}.jsonl"
    command = [BIN / "course", "grade", directory.root, UNIT.id, "--timeout", timeout, "--json", lines]
    subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(ROOT)})
    results = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    twice = [student for student, count in Counter(result["student"] for result in results).items() if count > 1]
    if twice:
        raise SystemExit(f"graded more than once: {', '.join(twice)}")
    return {result["student"]: result for result in results}


def run(root: Path, students: int, timeout: int) -> list[str]:
    """What went wrong, in sentences."""
    honest = {story.student: notebook for story, notebook in submissions(UNIT) if story.student not in TROUBLE}
    quiet = new_class(root / "quiet")
    for name, notebook in honest.items():
        put_submission(quiet, UNIT, name, notebook)
    wanted = {name: result["score"] for name, result in grade(quiet, 60).items()}
    whole = write_notebook(next(iter(honest.values()))).encode()
    broken = [b"", whole[: len(whole) // 2], b"\xff\xfe" + whole, b'{"cells": []}']
    soaked, stories = new_class(root / "soaked"), {}
    with listening() as listener:
        trouble = cycle([*(listener.address(attack.data) for attack in attacks().values()), *broken])
        names = cycle(honest)
        for number in range(students):
            student = f"student-{number:04}"
            if number % ONE_IN == ONE_IN - 1:
                put_submission(soaked, UNIT, student, next(trouble))
                continue
            stories[student] = next(names)
            notebook = from_dict(honest[stories[student]])
            notebook.cells.append(new_code_cell(f"# I am student {number}", id="remark"))
            put_submission(soaked, UNIT, student, notebook)
        results = grade(soaked, timeout)
    lost = [f"{student} has no result" for student in soaked.students(UNIT) if student not in results]
    moved = [
        f"{student} got {results[student]['score']}, and {wanted[story]} in a class without trouble"
        for student, story in stories.items()
        if student in results and results[student]["score"] != wanted[story]
    ]
    print(f"statuses: {dict(Counter(result['status'] for result in results.values()))}")
    return lost + moved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=1000)
    parser.add_argument("--timeout", type=int, default=5)
    arguments = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        wrong = run(Path(folder), arguments.students, arguments.timeout)
    print(f"{arguments.students} submissions in {time.monotonic() - start:.0f} s: {len(wrong)} went wrong")
    if wrong:
        raise SystemExit("\n".join(wrong[:20]))


if __name__ == "__main__":
    main()
