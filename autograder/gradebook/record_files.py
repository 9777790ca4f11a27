"""The record of each grade in results/UNIT/STUDENT.json, and of the grades before it in results/UNIT/history/."""

import json
from contextlib import suppress
from os.path import lexists
from pathlib import Path

from autograder.atomic_files import write_beside
from autograder.classroom.directory import ClassDirectory
from autograder.course.safe_text import json_text, storable
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.gradebook.record import Damaged, GradeRecord
from autograder.outside_files import Missing, Refused, read_below

LARGEST = 100_000_000  # bytes of a record, or of a whole history


def recorded_students(directory: ClassDirectory, unit: Unit) -> list[str]:
    """Everyone who has a record, whole or damaged."""
    return sorted(path.name.removesuffix(".json") for path in record_path(directory, unit, "*").parent.glob("*.json"))


def record_path(directory: ClassDirectory, unit: Unit, student: str) -> Path:
    return directory.root / "results" / unit.full_name / f"{student}.json"


def history_path(directory: ClassDirectory, unit: Unit, student: str) -> Path:
    return directory.root / "results" / unit.full_name / "history" / f"{student}.jsonl"


def open_record(directory: ClassDirectory, unit: Unit, student: str) -> GradeRecord:
    """The record of the last grade; raises Damaged if it is missing or cannot be read."""
    try:
        text = read_below(directory.root, record_path(directory, unit, student), LARGEST).decode("utf-8")
    except Missing:
        raise Damaged("there is no result file") from None
    except (Refused, UnicodeDecodeError):
        raise Damaged("its result file cannot be read") from None
    return _record(text)


def read_record(directory: ClassDirectory, unit: Unit, student: str) -> GradeRecord | None:
    """The record of the last grade; None, if there is none that can be read."""
    with suppress(Damaged):
        return open_record(directory, unit, student)
    return None


def write_record(
    directory: ClassDirectory, unit: Unit, student: str, before: GradeRecord | None, record: GradeRecord
) -> None:
    """Replace the record `before`; if it says something else, it goes into the history first.

    Each file is replaced whole, the history before the record. So a run that is killed between the two finds the same
    record again, and does not enter it a second time.
    """
    if before == record:
        return
    if before is not None and not before.says_the_same_as(record):
        history = read_history(directory, unit, student)
        if not history or history[-1] != before:
            write_beside(history_path(directory, unit, student), "".join(f"{_text(r)}\n" for r in [*history, before]))
    write_beside(record_path(directory, unit, student), _text(record))


def read_history(directory: ClassDirectory, unit: Unit, student: str) -> list[GradeRecord]:
    """The records before the last one, oldest first."""
    path = history_path(directory, unit, student)
    try:
        text = read_below(directory.root, path, LARGEST).decode("utf-8")
        return [_record(line) for line in text.split("\n") if line]
    except Missing:
        return []
    except (Damaged, Refused, UnicodeDecodeError):
        raise CourseError(f"the history in {path} cannot be read: mend it or move it away") from None


def all_grades(directory: ClassDirectory, unit: Unit, student: str) -> list[GradeRecord]:
    """Every grade that the student has had in the unit, oldest first, the one that counts last."""
    path = record_path(directory, unit, student)
    if not lexists(path):
        raise CourseError(
            f"{student} has no grade in unit {unit.id} of {directory.root}: is it the id that "
            f"`course grade {directory.quoted} {unit.id}` shows?"
        )
    try:
        return [*read_history(directory, unit, student), open_record(directory, unit, student)]
    except Damaged:
        raise CourseError(
            f"the grade in {path} is damaged, so it cannot be shown: "
            f"`course grade {directory.quoted} {unit.id}` makes it again"
        ) from None


def _record(text: str) -> GradeRecord:
    try:
        data = storable(json.loads(text))
    except (ValueError, RecursionError):
        raise Damaged("its result file cannot be read") from None
    return GradeRecord.from_json(data)


def _text(record: GradeRecord) -> str:
    return json_text(record.to_json())
