"""Grading a class on unit 01: `course grade` beside `nbgrader autograde` and beside plain `exec`, in one run.

    python tests/benchmarks/grading.py [--students 100] [--more 400] [--stock 10]

Every submission differs from every other. Stock nbgrader grades the first `--stock` of them, since it takes seconds for
each; it runs on its own defaults, without a sandbox. `exec` is the limit: the same cells in one warm process, with no
kernel, no sandbox, no database.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

from nbformat import from_dict
from nbformat.v4 import new_code_cell

from autograder.build import write_notebook
from autograder.class_directory import ClassDirectory, init_class
from autograder.course import Unit, find_unit
from autograder.demo import submissions
from autograder.exams import EXAMS
from autograder.release import release_unit
from autograder.submission import is_graded_code, read_notebook

BIN = Path(sys.executable).parent
BARE_CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'class'\n"
TROUBLE = ("cheat", "hang", "crash")


def make_class(root: Path, unit: Unit, students: int) -> ClassDirectory:
    """A class whose submissions are those of the demonstration, each with a remark of its own in a free cell."""
    directory = init_class(root)
    release_unit(directory, unit)
    honest = [notebook for story, notebook in submissions(unit) if story.student not in TROUBLE]
    for number, notebook in enumerate(islice(cycle(honest), students)):
        path = directory.submission(f"student-{number:04}", unit)
        path.parent.mkdir(parents=True)
        remark = new_code_cell(f"# I am student {number}", id="remark")
        notebook = from_dict(notebook)
        notebook.cells.append(remark)
        path.write_text(write_notebook(notebook), "utf-8")
    return directory


def measure(command: list, root: Path) -> dict[str, float]:
    """Wall seconds, CPU seconds of all processes, seconds to the first result, and the peak of the first process."""
    env = os.environ | {"PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]), "OMP_NUM_THREADS": "1"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    first, peak = None, 0.0
    for line in process.stdout:
        if first is None and line.startswith(("✓", "!")):
            first = time.monotonic() - start
        peak = max(peak, _peak(process.pid))
    process.wait()
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "first": first or wall, "peak": peak}


def _peak(pid: int) -> float:
    """The largest memory of a process so far, in MB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def plain_exec(directory: ClassDirectory, unit: Unit, students: list[str]) -> float:
    """Seconds for a submission whose cells and exams run by `exec` in this process."""
    os.environ["NBGRADER_EXECUTION"] = "autograde"
    start = time.monotonic()
    for student in students:
        names: dict = {}
        for cell in read_notebook(directory.submission(student, unit).read_bytes()).cells:
            if is_graded_code(cell):
                exercise = cell.metadata.nbgrader.grade_id.removeprefix("test_")
                EXAMS[exercise].grade(names.get(exercise))
            elif cell.cell_type == "code":
                try:
                    exec(cell.source, names)
                except Exception:
                    continue
    return (time.monotonic() - start) / len(students)


def spent(directory: ClassDirectory, unit: Unit) -> float:
    """Seconds for a submission as its worker counts them, from the results."""
    records = [json.loads(path.read_text("utf-8")) for path in directory.root.glob(f"results/{unit.full_name}/*.json")]
    return sum(record["graded"]["seconds"] for record in records) / len(records)


def run(students: int, more: int, stock: int) -> list[tuple[str, str]]:
    unit = find_unit("01")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        directory = make_class(Path(folder) / "class", unit, students)
        few = Path(folder) / "stock"
        shutil.copytree(directory.root, few)
        (few / "nbgrader_config.py").write_text(BARE_CONFIG)
        for late in sorted((few / "submitted").iterdir())[stock:]:
            shutil.rmtree(late)
        theirs = measure([BIN / "nbgrader", "autograde", unit.full_name], few)
        grade = [BIN / "course", "grade", directory.root, unit.id]
        ours = measure(grade, directory.root)
        again = measure(grade, directory.root)
        larger = make_class(Path(folder) / "larger", unit, more)
        grown = measure([BIN / "course", "grade", larger.root, unit.id], larger.root)
        names = directory.students(unit)[: max(10, stock)]
        plain_exec(directory, unit, names[:2])
        limit = plain_exec(directory, unit, names)
        worker = spent(directory, unit)
    per, stock_per = ours["wall"] / students, theirs["wall"] / stock
    cpu, stock_cpu = ours["cpu"] / students, theirs["cpu"] / stock
    rows = [
        (f"`nbgrader autograde`, seconds for one submission (of {stock})", f"{stock_per:.2f}"),
        (f"`course grade`, seconds for one submission (of {students}, with all set-up)", f"{per:.2f}"),
        ("**times as fast**", f"**{stock_per / per:.1f}**"),
        ("CPU seconds for one submission, nbgrader and ours", f"{stock_cpu:.2f} and {cpu:.2f}"),
        ("seconds to the first grade", f"{ours['first']:.1f}"),
        ("plain `exec` in one warm process, seconds for one submission", f"{limit:.2f}"),
        ("a worker's seconds for one submission, as a multiple of that", f"{worker / limit:.1f}"),
        (f"growth: seconds for one submission of {more}, over that of {students}", f"{grown['wall'] / more / per:.2f}"),
        (f"coordinator's memory at {students} and at {more}, MB", f"{ours['peak']:.0f} and {grown['peak']:.0f}"),
        (f"unchanged class of {students} again, seconds in all", f"{again['wall']:.1f}"),
    ]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--students", type=int, default=100)
    parser.add_argument("--more", type=int, default=400)
    parser.add_argument("--stock", type=int, default=10)
    arguments = parser.parse_args()
    rows = run(arguments.students, arguments.more, arguments.stock)
    table = "\n".join(["| measured | |", "|:--|--:|", *(f"| {name} | {value} |" for name, value in rows)])
    print(table)


if __name__ == "__main__":
    main()
