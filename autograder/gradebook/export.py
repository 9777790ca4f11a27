"""Export scores as csv: plain, or in the columns that Canvas and Moodle import."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from autograder.atomic_files import write_beside
from autograder.classroom.directory import ClassDirectory
from autograder.classroom.settings import ClassSettings, read_settings
from autograder.course.safe_text import inert_cell_text
from autograder.gradebook.class_scores import Column, Person, Score, class_scores

Rows = list[list[str | float]]
NO_GRADE = "-"  # in Moodle, where an empty cell may become a zero


def export_scores(directory: ClassDirectory, form: str, path: Path) -> tuple[int, int]:
    """Write one row for each student; return how many there are, and how many scores still wait for a person."""
    columns, people = class_scores(directory)
    text = io.StringIO(newline="")
    csv.writer(text).writerows(FORMS[form](columns, people, read_settings(directory.root)))
    write_beside(path, text.getvalue())
    return len(people), sum(score.waits_for_a_person for person in people for score in person.scores.values())


def _plain(columns: Sequence[Column], people: Sequence[Person], settings: ClassSettings) -> Rows:
    """For spreadsheets and people: no text in it becomes a formula."""
    header: list[str | float] = ["student_id", "first_name", "last_name", "email"]
    for column in columns:
        header += [f"{column.title} (of {column.points:g})", f"{column.name[:2]} late penalty"]
    rows: Rows = [header]
    for person in people:
        row: list[str | float] = [
            inert_cell_text(text) for text in (person.id, person.first_name, person.last_name, person.email)
        ]
        for score in _in_order(columns, person.scores):
            row += ["", ""] if score is None else [score.final, score.late_penalty]
        rows.append(row)
    return rows


def _canvas(columns: Sequence[Column], people: Sequence[Person], settings: ClassSettings) -> Rows:
    """Canvas finds a student by ID, its own number, or else by SIS Login ID, which must be exact, or else by name.

    A column whose title ends with the assignment's number goes to that assignment, any other to one of the same name.
    """
    titles = [
        f"{column.title} ({settings.canvas[column.name]})" if column.name in settings.canvas else column.title
        for column in columns
    ]
    rows: Rows = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *titles],
        ["    Points Possible", "", "", "", "", *(column.points for column in columns)],
    ]
    for person in people:
        number = person.lms_id or (person.id if person.id.isdecimal() else "")
        found_by = [number, "", "" if number == person.id else person.id, ""]
        rows.append([inert_cell_text(person.name), *found_by, *_finals(columns, person.scores)])
    return rows


def _moodle(columns: Sequence[Column], people: Sequence[Person], settings: ClassSettings) -> Rows:
    """Moodle asks which column names the student: the three that can must be exact; then one for each grade item."""
    header: list[str | float] = ["Username", "ID number", "Email address", "First name", "Last name"]
    for column in columns:
        header += [column.title, f"Feedback: {column.title}"]
    rows: Rows = [header]
    for person in people:
        email = person.email or (person.id if "@" in person.id else "")
        exact = [person.id, person.id, inert_cell_text(email)]  # no honest address begins as a formula does
        row: list[str | float] = [*exact, inert_cell_text(person.first_name), inert_cell_text(person.last_name)]
        for score, column in zip(_in_order(columns, person.scores), columns, strict=True):
            row += [NO_GRADE, ""] if score is None else [score.final, inert_cell_text(_feedback(score, column))]
        rows.append(row)
    return rows


def _feedback(score: Score, column: Column) -> str:
    """What a student reads beside the grade in Moodle; the page of feedback says the rest."""
    parts = [f"{score.final:g} of {column.points:g} points."]
    parts += [f"Late: {score.late_penalty:g} points taken off."] * bool(score.late_penalty)
    parts += ["Some answers still wait for a person's grade."] * score.waits_for_a_person
    return " ".join([*parts, *score.comments])


def _in_order(columns: Sequence[Column], scores: Mapping[str, Score]) -> list[Score | None]:
    return [scores.get(column.name) for column in columns]


def _finals(columns: Sequence[Column], scores: Mapping[str, Score]) -> list[str | float]:
    """A cell is empty where nothing was handed in: no grade, which is not the same as zero."""
    return ["" if score is None else score.final for score in _in_order(columns, scores)]


FORMS: dict[str, Callable[[Sequence[Column], Sequence[Person], ClassSettings], Rows]] = {
    "csv": _plain,
    "canvas": _canvas,
    "moodle": _moodle,
}
