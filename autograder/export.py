"""Export scores as csv: plain, or in the columns that Canvas and Moodle import."""

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import MissingEntry

from autograder.class_directory import ClassDirectory
from autograder.course import all_units


@dataclass(frozen=True)
class _Row:
    student: str
    first_name: str
    last_name: str
    email: str
    scores: list[float | str]


def export_scores(directory: ClassDirectory, form: str, path: Path) -> int:
    """Write one row for each student and one column for each released unit; return the number of students."""
    titles = {unit.full_name: f"{unit.id} {unit.title}" for unit in all_units()}
    with directory.gradebook() as gradebook:
        names = [assignment.name for assignment in gradebook.assignments]
        most = [assignment.max_score for assignment in gradebook.assignments]
        rows = []
        for student in gradebook.students:
            scores = []
            for name in names:
                try:
                    submission = gradebook.find_submission(name, student.id)
                    scores.append(round(max(0.0, submission.score - (submission.late_submission_penalty or 0)), 2))
                except MissingEntry:
                    scores.append("")
            person = (student.first_name or "", student.last_name or "", student.email or "")
            rows.append(_Row(student.id, *person, scores))
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(FORMS[form]([titles.get(name, name) for name in names], most, rows))
    return len(rows)


def _plain(units: list[str], most: list[float], rows: list[_Row]) -> list[list]:
    header = ["student_id", "first_name", "last_name", "email"]
    header += [f"{unit} (of {points:g})" for unit, points in zip(units, most, strict=True)]
    return [header, *([row.student, row.first_name, row.last_name, row.email, *row.scores] for row in rows)]


def _canvas(units: list[str], most: list[float], rows: list[_Row]) -> list[list]:
    """Canvas finds a student by ID (a number) or by SIS Login ID, and wants a row of points possible."""
    header = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *units]
    points = ["    Points Possible", "", "", "", "", *most]
    return [
        header,
        points,
        *(
            [
                _name(row),
                *((row.student, "", "") if row.student.isdigit() else ("", "", row.student)),
                "",
                *row.scores,
            ]
            for row in rows
        ),
    ]


def _moodle(units: list[str], most: list[float], rows: list[_Row]) -> list[list]:
    """Moodle's import lets one map a column to the user: the id, or the address."""
    header = ["ID number", "First name", "Last name", "Email address", *units]
    return [header, *([row.student, row.first_name, row.last_name, row.email, *row.scores] for row in rows)]


def _name(row: _Row) -> str:
    return f"{row.last_name}, {row.first_name}" if row.last_name else row.student


FORMS: dict[str, Callable[[list[str], list[float], list[_Row]], list[list]]] = {
    "csv": _plain,
    "canvas": _canvas,
    "moodle": _moodle,
}
