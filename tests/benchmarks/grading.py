"""Grading a class: `course grade` beside `nbgrader autograde`, `otter run` and plain `exec`, in one run.

    python tests/benchmarks/grading.py [--unit 01] [--sizes 100 400 1000] [--stock 10]

Every submission differs from every other. Stock nbgrader grades the first `--stock` of them, since it takes seconds for
each; it runs on its own defaults, without a sandbox, and so does Otter, where it is installed. `exec` is the limit: the
same cells and exams in one warm process, with no kernel, no sandbox, no database. CPU seconds are those of the whole
machine: let nothing else run on it.
"""

import argparse
import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import psutil
import torch
from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell
from otter_run import otter_seconds
from shares import shares

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.cells import is_graded_code
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.submitted_notebook import read_notebook
from autograder.course.units import Unit, find_unit
from autograder.demo.demo_class import STUDENTS, drawn_answers
from autograder.demo.stories import fill_in, submissions
from autograder.exams import exercise_seed, find_exam

BIN = Path(sys.executable).parent
BARE_CONFIG = "c = get_config()\nc.CourseDirectory.course_id = 'class'\n"
OTTER = 3  # submissions: it takes longest
TROUBLE = ("cheat", "hang", "crash")


def handed_in(unit: Unit) -> list[NotebookNode]:
    """Honest submissions of the demonstration, or answers of the banks in a unit of which it tells no stories."""
    if unit.id == "01":
        return [notebook for story, notebook in submissions(unit) if story.student not in TROUBLE]
    released = student_notebook(unit)
    return [fill_in(released, drawn_answers(unit, student)) for student in STUDENTS]


def make_class(root: Path, unit: Unit, students: int) -> ClassDirectory:
    """A class whose submissions are those of the demonstration, each with a remark of its own in a free cell."""
    directory = init_class(root)
    release_unit(directory, unit)
    honest = handed_in(unit)
    for number, notebook in enumerate(islice(cycle(honest), students)):
        path = directory.submission(f"student-{number:04}", unit)
        path.parent.mkdir(parents=True)
        remark = new_code_cell(f"# I am student {number}", id="remark")
        notebook = from_dict(notebook)
        notebook.cells.append(remark)
        path.write_text(write_notebook(notebook), "utf-8")
    return directory


def measure(command: list, root: Path) -> dict[str, float]:
    """Wall seconds, CPU seconds of the machine, seconds to the first result, and the peak of the first process."""
    env = os.environ | {"PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]), "OMP_NUM_THREADS": "1"}
    before = psutil.cpu_times()
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    first, peak = None, 0.0
    for line in process.stdout:
        if first is None and line.startswith(("✓", "!")):
            first = time.monotonic() - start
        peak = max(peak, _peak(process.pid))
    process.wait()
    wall = time.monotonic() - start
    after = psutil.cpu_times()
    cpu = after.user + after.system - before.user - before.system  # children of the sandbox count for no parent
    return {"wall": wall, "cpu": cpu, "first": first or wall, "peak": peak}


def _peak(pid: int) -> float:
    """The largest memory of a process so far, in MB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def plain_exec(directory: ClassDirectory, unit: Unit, students: list[str]) -> float:
    """Seconds for a submission whose cells run by `exec` in this process, and whose exams have its own inputs."""
    os.environ["NBGRADER_EXECUTION"] = "autograde"
    torch.set_num_threads(1)
    start = time.monotonic()
    for student in students:
        names: dict = {}
        for cell in read_notebook(directory.submission(student, unit).read_bytes()).cells:
            if is_graded_code(cell):
                exercise = cell.metadata.nbgrader.grade_id.removeprefix("test_")
                exam = find_exam(exercise)
                exam.grade(names.get(exercise), exercise_seed(exam, directory.seed(student, unit)))
            elif cell.cell_type == "code":
                with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
                    exec(cell.source, names)
    return (time.monotonic() - start) / len(students)


def rows(unit: Unit, sizes: list[int], stock: int) -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        classes = {size: make_class(Path(folder) / f"class-{size}", unit, size) for size in sizes}
        small = classes[sizes[0]]
        few = Path(folder) / "stock"
        shutil.copytree(small.root, few)
        (few / "nbgrader_config.py").write_text(BARE_CONFIG)
        for late in sorted((few / "submitted").iterdir())[stock:]:
            shutil.rmtree(late)
        theirs = measure([BIN / "nbgrader", "autograde", unit.full_name], few)
        otter = otter_seconds(unit, sorted(few.glob("submitted/*/*/*.ipynb"))[:OTTER])
        ours = {size: measure([BIN / "course", "grade", one.root, unit.id], one.root) for size, one in classes.items()}
        again = measure([BIN / "course", "grade", small.root, unit.id], small.root)
        alone = measure([BIN / "course", "check", "--full", next(small.root.glob("submitted/*/*/*.ipynb"))], small.root)
        names = small.students(unit)
        plain_exec(small, unit, names[:stock])  # warms up
        limit = plain_exec(small, unit, names[stock:])
        for late in names[max(10, stock) :]:
            shutil.rmtree(small.root / "submitted" / late)
        parts = shares(small, unit)
    first = ours[sizes[0]]
    per, stock_per = first["wall"] / sizes[0], theirs["wall"] / stock
    yield f"`nbgrader autograde`, seconds for one submission (of {stock})", f"{stock_per:.2f}"
    for size, one in ours.items():
        yield f"`course grade`, seconds for one submission of {size:,}, set-up counted", f"{one['wall'] / size:.3f}"
    yield "**times as fast as `nbgrader autograde`**", f"**{stock_per / per:.1f}**"
    if otter is not None:
        yield f"`otter run`, seconds for one submission (of {OTTER})", f"{otter:.2f}"
        yield "times as fast as `otter run`", f"{otter / per:.1f}"
    yield "CPU seconds for one submission: nbgrader", f"{theirs['cpu'] / stock:.2f}"
    yield "CPU seconds for one submission: `course grade`", f"{first['cpu'] / sizes[0]:.2f}"
    yield "plain `exec` in one warm process, seconds for one submission", f"{limit:.3f}"
    for size, one in ours.items():
        yield (
            f"**`course grade`, seconds for one of {size:,}, as a multiple of that**",
            f"**{one['wall'] / size / limit:.1f}**",
        )
    for size, one in ours.items():
        yield (
            f"`course grade`, CPU seconds for one of {size:,}, as a multiple of that",
            f"{one['cpu'] / size / limit:.1f}",
        )
    yield "`course grade`, seconds to the first grade", f"{first['first']:.1f}"
    yield "one submission alone, `course check --full`, seconds in all", f"{alone['wall']:.1f}"
    yield f"the same class of {sizes[0]} again, nothing changed, seconds in all", f"{again['wall']:.1f}"
    for size, one in ours.items():
        yield f"coordinator's memory at {size:,}, MB", f"{one['peak']:.0f}"
    whole = sum(parts.values())
    for label, seconds in parts.items():
        yield f"share of one submission: {label}", f"{seconds / whole:.0%} ({seconds * 1000:.0f} ms)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unit", type=find_unit, default="01")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 400, 1000])
    parser.add_argument("--stock", type=int, default=10)
    arguments = parser.parse_args()
    print("| measured | |\n|:--|--:|")
    for name, value in rows(arguments.unit, arguments.sizes, arguments.stock):
        print(f"| {name} | {value} |", flush=True)


if __name__ == "__main__":
    main()
