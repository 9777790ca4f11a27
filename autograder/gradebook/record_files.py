"""The record of each grade in results/UNIT/STUDENT.json, and of the grades before it in results/UNIT/history/."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from autograder.atomic_files import write_beside
from autograder.classroom.directory import ClassDirectory
from autograder.course.safe_text import storable
from autograder.course.units import Unit
from autograder.errors import CourseError


class Damaged(Exception):
    """Why the record of a grade cannot be used."""


def recorded_students(directory: ClassDirectory, unit: Unit) -> list[str]:
    """Everyone who has a record, whole or damaged."""
    return sorted(path.name.removesuffix(".json") for path in record_path(directory, unit, "*").parent.glob("*.json"))


def record_path(directory: ClassDirectory, unit: Unit, student: str) -> Path:
    return directory.root / "results" / unit.full_name / f"{student}.json"


def history_path(directory: ClassDirectory, unit: Unit, student: str) -> Path:
    return directory.root / "results" / unit.full_name / "history" / f"{student}.jsonl"


def open_record(directory: ClassDirectory, unit: Unit, student: str) -> dict:
    """The record of the last grade; raises Damaged if it is missing or cannot be read."""
    try:
        text = record_path(directory, unit, student).read_text("utf-8")
    except FileNotFoundError:
        raise Damaged("there is no result file") from None
    except (OSError, ValueError):
        raise Damaged("its result file cannot be read") from None
    return _record(text)


def read_record(directory: ClassDirectory, unit: Unit, student: str) -> dict:
    """The record of the last grade; nothing, if there is none that can be read."""
    with suppress(Damaged):
        return open_record(directory, unit, student)
    return {}


def write_record(directory: ClassDirectory, unit: Unit, student: str, record: Mapping) -> None:
    """Replace the record; one that says something else goes into the history first.

    Each file is replaced whole, the history before the record. So a run that is killed between the two finds the same
    record again, and does not enter it a second time.
    """
    before = read_record(directory, unit, student)
    if before == record:
        return
    if before and _says(before) != _says(record):
        history = read_history(directory, unit, student)
        if not history or history[-1] != before:
            lines = [json.dumps(entry, ensure_ascii=False) + "\n" for entry in [*history, before]]
            write_beside(history_path(directory, unit, student), "".join(lines))
    write_beside(record_path(directory, unit, student), json.dumps(record, ensure_ascii=False))


def read_history(directory: ClassDirectory, unit: Unit, student: str) -> list[dict]:
    """The records before the last one, oldest first."""
    path = history_path(directory, unit, student)
    if not path.exists():
        return []
    try:
        return [_record(line) for line in path.read_text("utf-8").split("\n") if line]
    except (Damaged, ValueError):
        raise CourseError(f"the history in {path} cannot be read: mend it or move it away") from None


def all_grades(directory: ClassDirectory, unit: Unit, student: str) -> list[dict]:
    """Every grade that the student has had in the unit, oldest first, the one that counts last."""
    path = record_path(directory, unit, student)
    if not path.exists():
        raise CourseError(
            f"{student} has no grade in unit {unit.id} of {directory.root}: is it the id that "
            f"`course grade {directory.quoted} {unit.id}` shows?"
        )
    grades = [*read_history(directory, unit, student), read_record(directory, unit, student)]
    if not all({"score", "max_score", "exercises"} <= grade.get("result", {}).keys() for grade in grades):
        raise CourseError(
            f"the grade in {path} is damaged, so it cannot be shown: "
            f"`course grade {directory.quoted} {unit.id}` makes it again"
        )
    return grades


def _record(text: str) -> dict:
    """A record from its JSON form, with the parts that it has where they belong; raises Damaged."""
    try:
        record = storable(json.loads(text))
    except (ValueError, RecursionError):
        raise Damaged("its result file cannot be read") from None
    parts = [record.get(name, {}) for name in ("graded", "made", "result")] if isinstance(record, dict) else [None]
    if not all(isinstance(part, dict) for part in parts):
        raise Damaged("its result file is not what grading writes")
    return record


def _says(record: Mapping) -> tuple:
    """What counts in a record: what made it, and its result; not how long it took, nor when."""
    made = {name: value for name, value in record.get("made", {}).items() if name != "time"}
    result = {name: value for name, value in record.get("result", {}).items() if name != "seconds"}
    return record.get("key"), made, result
