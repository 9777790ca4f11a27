"""Check one notebook without a class: by its visible checks, or by the exams that grade it."""

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nbformat import NotebookNode

from autograder.assignment import Limits, limits_of
from autograder.build import solution_notebook, student_notebook, write_notebook
from autograder.course import Unit, find_unit
from autograder.errors import CourseError
from autograder.examiner.conversation import Lost
from autograder.examiner.notebook_run import NotebookRun, Undefined
from autograder.examiner.warm_kernel import WarmKernel
from autograder.examiner.zygotes import new_kernel
from autograder.grade_submission import assignment_of, grade_submission
from autograder.results import ExerciseResult, Result, verdict_result
from autograder.submission import (
    Rejected,
    grade_id,
    is_graded_code,
    nbgrader_metadata,
    read_notebook,
    rebuild,
)
from course_lib.checks import CheckFailed, Finding, check
from course_lib.checks.check import StubFound
from course_lib.checks.standing import unit_of


@dataclass(frozen=True)
class Check:
    """What the visible check of an exercise says; `tried` is whether there is an answer at all."""

    exercise: str
    passed: bool
    tried: bool
    says: str


def check_notebook(path: Path, seconds: float | None = None) -> list[Check]:
    """The visible check of every exercise, on the student's own machine and without a sandbox."""
    submitted, unit = _read(path)
    checking = _Checking(partial(new_kernel, unit, "none"), limits_of(unit, seconds))
    checking.run(rebuild(submitted, student_notebook(unit))[0])
    return checking.checks


def full_check(path: Path, sandbox: str = "bwrap", seconds: float | None = None) -> Result:
    """What the notebook would get if it were graded, with hidden inputs that are the same each time."""
    submitted, unit = _read(path)
    assignment = assignment_of(unit, sandbox, limits_of(unit, seconds))
    graded = grade_submission(write_notebook(submitted).encode(), assignment, seed="")
    points = {
        grade_id(cell): nbgrader_metadata(cell)["points"]
        for cell in solution_notebook(unit).cells
        if nbgrader_metadata(cell).get("grade")
    }
    exercises = [
        verdict_result(name, verdict, points[name], verdict["score"] if verdict else 0.0)
        for name, verdict in graded.verdicts.items()
    ]
    waiting = [
        ExerciseResult(name, worth, 0.0, "needs a person" if graded.answered[name] else "not tried")
        for name, worth in points.items()
        if name not in graded.verdicts
    ]
    problems = [*graded.repairs, *graded.problems]
    return Result(
        student=path.name,
        assignment=unit.full_name,
        status="attention" if problems else "graded",
        score=round(sum(exercise.score for exercise in exercises), 2),
        max_score=unit.points,
        seconds=graded.seconds,
        problems=problems,
        exercises=[*exercises, *waiting],
        bubblewrap=graded.bubblewrap,
    )


def _read(path: Path) -> tuple[NotebookNode, Unit]:
    """The notebook, and the unit that most of its exercises belong to."""
    try:
        notebook = read_notebook(path.read_bytes())
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None
    except Rejected as problem:
        raise CourseError(f"{path} cannot be checked: {problem}") from None
    number = unit_of([name for cell in notebook.cells if (name := grade_id(cell))])
    if number is None:
        raise CourseError(f"{path} has no exercise of this course in it")
    unit = find_unit(number)
    _hide_tests(notebook, unit)
    return notebook, unit


def _hide_tests(notebook: NotebookNode, unit: Unit) -> None:
    """An author's notebook still has its hidden tests, which is no edit to repair."""
    whole = {grade_id(cell): cell.source for cell in solution_notebook(unit).cells if grade_id(cell)}
    released = {grade_id(cell): cell.source for cell in student_notebook(unit).cells}
    for cell in notebook.cells:
        if is_graded_code(cell) and cell.source == whole.get(grade_id(cell)):
            cell.source = released[grade_id(cell)]


class _Checking(NotebookRun):
    def __init__(self, new_kernel: Callable[[], WarmKernel], limits: Limits):
        super().__init__(new_kernel, limits)
        self.checks: list[Check] = []

    def examine(self, cell: NotebookNode, exercise: str) -> None:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                self.execute(cell, check)
            self.checks.append(Check(exercise, True, True, ""))
        except StubFound:
            self.checks.append(Check(exercise, False, False, ""))
        except Undefined as error:
            self.checks.append(Check(exercise, False, True, self.why_undefined(exercise, error)))
        except (CheckFailed, Finding, Lost) as error:
            self.checks.append(Check(exercise, False, True, str(error)))
