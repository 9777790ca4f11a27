"""What the examiner found in a submission, out of the record of its grade: verdicts, repairs and problems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.exam_types.verdict import CriterionResult, Verdict
from autograder.gradebook.record_files import Damaged


@dataclass(frozen=True)
class Examined:
    """One submission; `verdicts` by exercise, None where the examiner issued none."""

    student: str
    verdicts: Mapping[str, Verdict | None]
    repairs: Sequence[str] = ()
    problems: Sequence[str] = ()
    seconds: float = 0.0
    sandbox: str | None = None
    bubblewrap: str = ""


def read_examined(student: str, record: Mapping) -> Examined:
    """Raises Damaged if the record does not say what grading writes."""
    try:
        graded = record["graded"]
        return Examined(
            student=student,
            verdicts={
                _text(name).removeprefix("test_"): value and read_verdict(value)
                for name, value in graded["verdicts"].items()
            },
            repairs=[_text(repair) for repair in graded["repairs"]],
            problems=[_text(problem) for problem in graded["problems"]],
            seconds=_number(graded["seconds"]),
            sandbox=record["made"]["sandbox"] if "made" in record else None,
            bubblewrap=_text(graded.get("bubblewrap", "")),
        )
    except (KeyError, TypeError, AttributeError, ValueError):
        raise Damaged("its result file is not what grading writes") from None


def read_verdict(data: Mapping) -> Verdict:
    """A verdict from its JSON form; raises KeyError, TypeError or ValueError if it is none."""
    criteria = (
        CriterionResult(
            name=_text(one["name"]),
            points=_number(one["points"]),
            score=_number(one["score"]),
            message=_text(one["message"]),
            diagnosis=one["diagnosis"] and _text(one["diagnosis"]),
            tried=bool(one["tried"]),
        )
        for one in data["criteria"]
    )
    return Verdict(_text(data["exercise"]), _number(data["points"]), tuple(criteria))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} in place of a text")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise TypeError(f"{value!r} in place of a number")
    return float(value)
