"""The record of each grade in results/UNIT/STUDENT.json, and of the grades before it in results/UNIT/history/."""

import json
from collections.abc import Mapping
from pathlib import Path

from autograder.class_directory import ClassDirectory
from autograder.course import Unit
from autograder.errors import CourseError
from autograder.files import write_beside


def record_path(directory: ClassDirectory, unit: Unit, student: str) -> Path:
    return directory.root / "results" / unit.full_name / f"{student}.json"


def history_path(directory: ClassDirectory, unit: Unit, student: str) -> Path:
    return directory.root / "results" / unit.full_name / "history" / f"{student}.jsonl"


def read_record(directory: ClassDirectory, unit: Unit, student: str) -> dict:
    """The record of the last grade; nothing, if there is none that can be read."""
    try:
        record = json.loads(record_path(directory, unit, student).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


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
    write_beside(record_path(directory, unit, student), json.dumps(record, ensure_ascii=False, indent=1))


def read_history(directory: ClassDirectory, unit: Unit, student: str) -> list[dict]:
    """The records before the last one, oldest first."""
    path = history_path(directory, unit, student)
    if not path.exists():
        return []
    try:
        return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    except ValueError as error:
        raise CourseError(f"the history in {path} cannot be read: {error}. Mend it or move it away") from None


def all_grades(directory: ClassDirectory, unit: Unit, student: str) -> list[dict]:
    """Every grade that the student has had in the unit, oldest first, the one that counts last."""
    record = read_record(directory, unit, student)
    if not record:
        raise CourseError(f"{student} has no grade in unit {unit.id} of {directory.root}")
    return [*read_history(directory, unit, student), record]


def _says(record: Mapping) -> tuple:
    """What counts in a record: what made it, and its result; not how long it took, nor when."""
    made = {name: value for name, value in record.get("made", {}).items() if name != "time"}
    result = {name: value for name, value in record.get("result", {}).items() if name != "seconds"}
    return record.get("key"), made, result
