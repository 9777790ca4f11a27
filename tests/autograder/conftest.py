"""A class whose submissions cover what happens in real ones; graded once, looked at by many tests."""

import copy
import json
import shutil
from dataclasses import dataclass

import pytest
from builders.course_command import run_course
from builders.quick_class import grade, hand_in, quick_grading
from builders.submissions import put_submission
from nbformat.v4 import new_code_cell, new_notebook

from autograder.classroom.directory import ClassDirectory, init_class
from autograder.classroom.release import release_unit
from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.units import Unit, find_unit
from autograder.demo.stories import STORIES, fill_in, submissions
from autograder.examiner.assignment import Limits
from autograder.grading import worker_pool

HONEST = ("perfect", "blank", "half-done", "no-scale", "syntax-error")
TIMEOUT = 5
LIMITS = Limits(cell=TIMEOUT, call=TIMEOUT)


@dataclass(frozen=True)
class GradedClass:
    directory: ClassDirectory
    unit: Unit
    results: dict[str, dict]
    exit_code: int
    timeout: int = TIMEOUT
    limits: Limits = LIMITS

    def exercise(self, student: str, name: str) -> dict:
        return next(e for e in self.results[student]["exercises"] if e["id"] == name)


@pytest.fixture
def course(capsys):
    """Runs the command; its exit code, and what it printed."""

    def run(*arguments):
        code = run_course(*arguments)
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return run


@pytest.fixture(scope="session")
def unit():
    return find_unit("01")


@pytest.fixture(scope="session")
def answers(unit):
    return {grade_id(cell): cell.source for cell in solution_notebook(unit).cells if is_answer(cell)}


@pytest.fixture(scope="session")
def released_class(unit, tmp_path_factory):
    """A class directory in which one unit is released, and nobody has handed in anything; tests use a copy."""
    directory = init_class(tmp_path_factory.mktemp("released") / "class")
    release_unit(directory, unit)
    return directory


@pytest.fixture
def directory(released_class, tmp_path):
    shutil.copytree(released_class.root, tmp_path / "class")
    return ClassDirectory(tmp_path / "class")


@pytest.fixture
def class_of_two(directory, unit, monkeypatch):
    """Two students with every point, graded in no time."""
    monkeypatch.setattr(worker_pool, "grade_here", quick_grading)
    for student in ("ada", "bob"):
        hand_in(directory, unit, student)
    grade(directory, unit)
    return directory


@pytest.fixture(scope="session")
def honest_class(unit, tmp_path_factory):
    """A class directory with honest submissions, not yet graded."""
    directory = init_class(tmp_path_factory.mktemp("honest") / "class")
    release_unit(directory, unit)
    for story, notebook in submissions(unit):
        if story.student in HONEST:
            put_submission(directory, unit, story.student, notebook)
    assert set(HONEST) <= {story.student for story in STORIES}
    return directory


@pytest.fixture(scope="session")
def graded_class(honest_class, unit, answers, tmp_path_factory):
    """The honest class with broken and hostile submissions among them, graded by `course grade`."""
    root = tmp_path_factory.mktemp("graded") / "class"
    shutil.copytree(honest_class.root, root)
    directory = ClassDirectory(root)
    blank, perfect = student_notebook(unit), fill_in(student_notebook(unit), answers)
    text = write_notebook(perfect).encode()
    put_submission(directory, unit, "bad-cut-off", text[: len(text) // 2])
    put_submission(directory, unit, "bad-empty", b"")
    put_submission(directory, unit, "bad-encoding", text[:500] + b"\xff\xfe" + text[500:])
    put_submission(
        directory, unit, "bad-format-3", b'{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": []}'
    )
    put_submission(directory, unit, "bad-other-unit", new_notebook(cells=[new_code_cell("print('hello')")]))
    deleted = copy.deepcopy(perfect)
    deleted.cells = [c for c in deleted.cells if grade_id(c) not in ("test_cross_attention", "gram_attention")]
    put_submission(directory, unit, "bad-deleted", deleted)
    doubled = copy.deepcopy(perfect)
    extra = copy.deepcopy(next(c for c in blank.cells if grade_id(c) == "cross_attention"))
    extra.id = "pasted"
    doubled.cells.append(extra)
    put_submission(directory, unit, "bad-doubled", doubled)
    (directory.root / "submitted" / "bad-name" / unit.full_name).mkdir(parents=True)
    (directory.root / "submitted" / "bad-name" / unit.full_name / "essay.ipynb").write_bytes(text)
    loop = {"gram_attention": "def gram_attention(X):\n    while True:\n        pass"}
    put_submission(directory, unit, "hangs", fill_in(blank, answers | loop))
    leaves = {"gram_attention": "import os\n\n\ndef gram_attention(X):\n    os._exit(1)"}
    put_submission(directory, unit, "kills-kernel", fill_in(blank, answers | leaves))
    lines = root.parent / "results.jsonl"
    code = run_course("grade", directory.root, "01", "--json", lines, "--timeout", TIMEOUT)
    results = [json.loads(line) for line in lines.read_text("utf-8").splitlines()]
    return GradedClass(directory, unit, {result["student"]: result for result in results}, code)
