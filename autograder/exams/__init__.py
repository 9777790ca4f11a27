"""The exams of all units, one package a unit, one module a section; and `grade`, which a graded cell calls.

May import: course, exam_types, and course_lib.
"""

import hashlib
import hmac
from functools import cache
from importlib import import_module

from autograder.course.units import written_units
from autograder.exam_types.exam import Exam
from autograder.exam_types.verdict import MIME, Verdict
from autograder.exam_types.verdict_recorder import current_recorder
from course_lib.cards.exercise_index import exercises


def __getattr__(name: str) -> dict:
    """UNITS has the exams of each unit and EXAMS all by their exercise: importing them all takes a second."""
    if name not in ("UNITS", "EXAMS"):
        raise AttributeError(name)
    units = {unit.id: exams_of(unit.id) for unit in written_units()}
    exams = {exam.exercise: exam for exams in units.values() for exam in exams}
    globals().update(UNITS=units, EXAMS=exams)
    return globals()[name]


def exams_of(unit: str) -> tuple[Exam, ...]:
    return import_module(f"autograder.exams.unit_{unit}").EXAMS


@cache
def find_exam(exercise: str) -> Exam | None:
    """The exam of an exercise; grading one unit needs no other's."""
    likely = [unit for unit, about in exercises().items() if exercise in {one["name"] for one in about["exercises"]}]
    units = (*likely, *(unit.id for unit in written_units()))
    exams = (exam for unit in units for exam in exams_of(unit))
    return next((exam for exam in exams if exam.exercise == exercise), None)


def grade(exercise: str, answer: object) -> float:
    """Examine an answer and return the score, which nbgrader takes as the cell's points.

    The verdict goes to the current VerdictRecorder; without one it is displayed.
    """
    exam, recorder = find_exam(exercise), current_recorder()
    if exam is None:
        raise ValueError(f"there is no exam of {exercise!r}")
    verdict = exam.grade(answer, exercise_seed(exam, recorder.seed if recorder else ""))
    if recorder:
        recorder.verdicts.append(verdict)
    else:
        _show(verdict)
    return verdict.score


def exercise_seed(exam: Exam, submission_seed: str) -> int:
    """The seed of the hidden inputs: the submission's, made particular to the exercise and the version of its exam."""
    text = f"{exam.exercise}\0{exam.version}"
    return int.from_bytes(hmac.digest(submission_seed.encode(), text.encode(), hashlib.sha256)[:8], "big")


def _show(verdict: Verdict) -> None:
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.display import display

    if InteractiveShell.initialized():
        display({"text/plain": str(verdict), MIME: verdict.to_json()}, raw=True)
    else:
        print(verdict)
