"""The exams of all units, and `grade`, which a graded cell calls."""

import hashlib
import hmac

from autograder.exam import Exam
from autograder.exams import unit_00, unit_01, unit_02, unit_03, unit_04, unit_05, unit_06, unit_07, unit_08
from autograder.sitting import current_sitting
from autograder.verdict import MIME, Verdict

UNITS = {
    "00": unit_00.EXAMS,
    "01": unit_01.EXAMS,
    "02": unit_02.EXAMS,
    "03": unit_03.EXAMS,
    "04": unit_04.EXAMS,
    "05": unit_05.EXAMS,
    "06": unit_06.EXAMS,
    "07": unit_07.EXAMS,
    "08": unit_08.EXAMS,
}
EXAMS = {exam.exercise: exam for exams in UNITS.values() for exam in exams}


def grade(exercise: str, answer: object) -> float:
    """Examine an answer, show the verdict and return the score, which nbgrader takes as the cell's points."""
    exam, sitting = EXAMS[exercise], current_sitting()
    verdict = exam.grade(answer, exercise_seed(exam, sitting.seed if sitting else ""))
    if sitting:
        sitting.verdicts.append(verdict)
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
