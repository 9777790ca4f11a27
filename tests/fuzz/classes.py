"""A class in which one student's files are damaged: everybody has one result, and the neighbors have what they had."""

import json
import os
import shutil
import socket
import tempfile
from functools import cache
from pathlib import Path
from unittest.mock import patch

from builders.quick_class import grade, hand_in
from hypothesis import strategies as st

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.cells import answer_cells
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.safe_text import UNSEEN, json_text
from autograder.course.submitted_notebook import read_notebook, rebuild
from autograder.course.units import find_unit
from autograder.exam_types.verdict import CriterionResult, Verdict
from autograder.examiner.graded import Graded
from autograder.exams import UNITS
from autograder.gradebook.record_files import history_path, record_path
from autograder.grading import worker_pool
from autograder.reports.class_report.write import write_report
from fuzz import inputs

UNIT = find_unit("01")
NEIGHBORS = ("ada", "zoe")
HOSTILE = "mallory"
INSTEAD = ["pipe", "folder", "link", "socket", "nothing"]
WHICH = ["notebook", "timestamp", "secret", "record", "history", "graded"]


def quick(data, assignment, seed):
    """In place of the sandbox: an answer is right if it says so."""
    notebook, repairs = rebuild(read_notebook(data), student_notebook(UNIT))
    right = {name for name, cell in answer_cells(notebook).items() if cell.source.startswith("answer = ")}
    verdicts = {
        f"test_{exam.exercise}": Verdict(
            exam.exercise,
            exam.points,
            tuple(CriterionResult(c.name, c.points, c.points * (exam.exercise in right)) for c in exam.criteria),
        )
        for exam in UNITS[UNIT.id]
    }
    return Graded(write_notebook(notebook), verdicts, repairs=repairs, seed=seed)


@cache
def graded_once() -> Path:
    """A class of three, graded and with a history; every run works on a copy."""
    directory = init_class(Path(tempfile.mkdtemp()) / "class")
    release_unit(directory, UNIT)
    with patch.object(worker_pool, "grade_here", quick):
        for words in ("First.", "Second."):
            for student in (*NEIGHBORS, HOSTILE):
                hand_in(directory, UNIT, student, words=words)
            grade(directory, UNIT)
    return directory.root


def files_of(directory: ClassDirectory) -> dict[str, Path]:
    notebook = directory.submission(HOSTILE, UNIT)
    return {
        "notebook": notebook,
        "timestamp": notebook.with_name("timestamp.txt"),
        "secret": notebook.with_name("submission_secret.txt"),
        "record": record_path(directory, UNIT, HOSTILE),
        "history": history_path(directory, UNIT, HOSTILE),
        "graded": directory.autograded(HOSTILE, UNIT),
    }


@st.composite
def damages(draw):
    """For some of the files, what is there instead: bytes, or a word for something that is no file."""
    base = json.loads(json.dumps(inputs.small_notebook()))
    contents = {
        "notebook": st.one_of(inputs.json_files(base), inputs.json_files(whole_notebook())),
        "timestamp": inputs.STAMP_FILES,
        "secret": st.binary(max_size=50),
        "record": inputs.json_files(whole_record()),
        "history": inputs.json_files(whole_record()).map(lambda line: line + b"\n"),
        "graded": inputs.json_files(base),
    }
    which = draw(st.lists(st.sampled_from(WHICH), unique=True, min_size=1, max_size=3))
    damage = {name: draw(st.one_of(contents[name], contents[name], st.sampled_from(INSTEAD))) for name in which}
    return damage, draw(st.booleans())


@cache
def whole_notebook() -> dict:
    return json.loads(files_of(ClassDirectory(graded_once()))["notebook"].read_bytes())


@cache
def whole_record() -> dict:
    return json.loads(files_of(ClassDirectory(graded_once()))["record"].read_bytes())


def put(path: Path, instead: bytes | str, root: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if isinstance(instead, bytes):
        path.write_bytes(instead)
    elif instead == "pipe":
        os.mkfifo(path)
    elif instead == "folder":
        path.mkdir()
    elif instead == "link":
        path.symlink_to(root / "secret.key")
    elif instead == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            folder = os.open(path.parent, os.O_RDONLY)
            server.bind(f"/proc/self/fd/{folder}/{path.name}")
            os.close(folder)


def class_holds(damage: tuple[dict[str, bytes | str], bool]) -> None:
    with tempfile.TemporaryDirectory() as name, patch.object(worker_pool, "grade_here", quick):
        shutil.copytree(graded_once(), Path(name, "class"))
        directory = ClassDirectory(Path(name, "class").resolve())
        files, force = damage
        for which, instead in files.items():
            put(files_of(directory)[which], instead, directory.root)
        results = grade(directory, UNIT, force=force)
        assert set(results) == set(directory.students(UNIT)) == {*NEIGHBORS, HOSTILE}
        for student in NEIGHBORS:
            assert (results[student].status, results[student].score) == ("graded", 36)
        for result in results.values():
            assert not UNSEEN.search(json_text(result.to_json()))
            assert not any("Traceback" in problem or "recording it failed" in problem for problem in result.problems)
        key = (directory.root / "secret.key").read_bytes()
        write_report(directory, UNIT)
        for folder in ("autograded", "reports", "results"):
            for path in (directory.root / folder).rglob("*"):
                assert path.is_symlink() or not path.is_file() or key not in path.read_bytes()
