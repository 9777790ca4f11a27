"""The result files of a class, read one at a time: what the examiner found in each submission."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.class_directory import ClassDirectory
from autograder.course import Unit
from autograder.storable import storable
from autograder.verdict import CriterionResult, Verdict


class Damaged(Exception):
    """Why a result file cannot be used."""


@dataclass(frozen=True)
class Record:
    """What grading noted about a submission; `verdicts` by exercise, None where the examiner issued none."""

    student: str
    verdicts: Mapping[str, Verdict | None]
    repairs: Sequence[str] = ()
    problems: Sequence[str] = ()
    seconds: float = 0.0
    sandbox: str | None = None


def record_paths(directory: ClassDirectory, unit: Unit) -> Iterator[tuple[str, Path]]:
    """The student and the file of every result, in order."""
    for path in sorted((directory.root / "results" / unit.full_name).glob("*.json")):
        yield path.name.removesuffix(".json"), path


def read_record(student: str, path: Path) -> Record:
    """Raises Damaged if the file is missing, is not what grading writes, or cannot be read."""
    try:
        note = storable(json.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        raise Damaged("there is no result file") from None
    except (OSError, ValueError, RecursionError):
        raise Damaged("its result file cannot be read") from None
    try:
        graded = note["graded"]
        return Record(
            student=student,
            verdicts={
                _text(name).removeprefix("test_"): value and read_verdict(value)
                for name, value in graded["verdicts"].items()
            },
            repairs=[_text(repair) for repair in graded["repairs"]],
            problems=[_text(problem) for problem in graded["problems"]],
            seconds=_number(graded["seconds"]),
            sandbox=note["made"]["sandbox"] if "made" in note else None,
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
