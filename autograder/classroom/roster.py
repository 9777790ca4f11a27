"""Read a roster, the list of a class's students, from a csv file of Canvas, Moodle or a spreadsheet."""

import csv
import io
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.classroom.student_id import require_student_id
from autograder.errors import CourseError
from autograder.outside_files import read_named

LARGEST_FILE = 20_000_000  # bytes: some hundred thousand students
LONGEST = 128  # characters: the width of nbgrader's columns
MOST_PROBLEMS = 10  # listed in one error message
SEPARATORS = ",;\t"
EMAIL = ("email", "email address", "e mail", "mail")
COLUMNS = {
    "id": ("student id", "id", "username", "sis login id", "login id", "id number", "user id", "sis user id", *EMAIL),
    "first_name": ("first name", "firstname", "given name"),
    "last_name": ("last name", "lastname", "surname", "family name"),
    "name": ("student", "name", "full name", "student name"),
    "email": EMAIL,
}
NOBODY = re.compile(
    r"Points Possible|Manual Posting.*|Muted|", re.IGNORECASE
)  # rows of Canvas that describe assignments


@dataclass(frozen=True)
class Enrolled:
    """A student of a roster; `lms_user_id` is Canvas's own number for them."""

    id: str
    first_name: str = ""
    last_name: str = ""
    email: str = ""
    lms_user_id: str = ""


@dataclass(frozen=True)
class Roster:
    """The students in a file, and the name of the column their ids come from."""

    people: Sequence[Enrolled]
    id_column: str


def read_roster(path: Path, id_column: str | None = None) -> Roster:
    """Read the roster in a file; a CourseError names the line and the column of each problem."""
    rows = _rows(_text(path), path)
    if not rows:
        raise CourseError(f"{path} is empty: a roster has a line of column names, then a line for each student")
    (_, header), *lines = rows
    lines = [(number, row) for number, row in lines if not NOBODY.fullmatch("".join(row[:2]) or "".join(row))]
    columns = _columns(header, [row for _, row in lines], path, id_column)
    if not lines:
        raise CourseError(f"{path} has column names, but no students below them")
    problems: list[str] = []
    people: dict[str, Enrolled] = {}
    seen: dict[str, int] = {}
    for number, row in lines:
        try:
            person = _person(row, header, columns)
            if person.id in people:
                raise ValueError(f"column {header[columns['id']]}: {person.id!r} is in line {seen[person.id]} too")
            people[person.id], seen[person.id] = person, number
        except ValueError as problem:
            problems.append(f"line {number}, {problem}")
    if problems:
        more = f"\n  … and {len(problems) - MOST_PROBLEMS} more" * (len(problems) > MOST_PROBLEMS)
        listed = "\n  ".join(problems[:MOST_PROBLEMS])
        raise CourseError(f"nothing was imported, because {path} needs mending first:\n  {listed}{more}")
    return Roster(list(people.values()), header[columns["id"]])


def _text(path: Path) -> str:
    data = read_named(path, LARGEST_FILE)
    encoding = "utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return unicodedata.normalize("NFC", data.decode(encoding))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CourseError(f"line {line} of {path} is not UTF-8 text: save it as csv with the encoding UTF-8") from None


def _rows(text: str, path: Path) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, each with its line number; the separator is the commonest one in the first line."""
    separator = max(SEPARATORS, key=lambda mark: text.partition("\n")[0].count(mark))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows, begins = [], 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((begins, [cell.strip() for cell in row]))
            begins = reader.line_num + 1
    except csv.Error as error:
        raise CourseError(f"line {begins} of {path} cannot be read as csv ({error}): is a quote not closed?") from None
    return rows


def _columns(header: Sequence[str], rows: Sequence[Sequence[str]], path: Path, id_column: str | None) -> dict[str, int]:
    """The index of each known column; of several candidates for the id, the first that no row leaves empty."""
    plain = [re.sub(r"[\W_]+", " ", name).strip().casefold() for name in header]
    matches = {field: [plain.index(name) for name in names if name in plain] for field, names in COLUMNS.items()}
    if id_column is not None:
        if id_column not in header:
            raise CourseError(f"{path} has no column {id_column!r}: it has {', '.join(header)}")
        matches["id"] = [header.index(id_column)]
    if not matches["id"]:
        raise CourseError(
            f"{path} has no column for the students' ids: it has {', '.join(header)}; "
            "call one student_id, or name it with --id"
        )
    complete = [index for index in matches["id"] if all(row[index] for row in rows if len(row) == len(header))]
    matches["id"] = complete or matches["id"]
    columns = {field: indices[0] for field, indices in matches.items() if indices}
    if "sis login id" in plain and "id" in plain:  # an export of Canvas, which identifies students by this number
        columns["lms_user_id"] = plain.index("id")
    return columns


def _person(row: Sequence[str], header: Sequence[str], columns: Mapping[str, int]) -> Enrolled:
    if len(row) != len(header):
        raise ValueError(f"has {len(row)} columns, expected {len(header)}: is a quote missing around a name?")
    person = {field: row[index] for field, index in columns.items()}
    for field, value in person.items():
        if len(value) > LONGEST or not value.isprintable():
            raise ValueError(f"column {header[columns[field]]}: {value[:20]!r} is too long, or cannot be printed")
        if set("<>") & set(value):  # nbgrader's formgrader does not escape names, so this would be HTML there
            raise ValueError(f"column {header[columns[field]]}: {value[:20]!r} has < or > in it: leave them out")
    if not person["id"]:
        raise ValueError(f"column {header[columns['id']]}: the id is missing")
    try:
        person["id"] = require_student_id(person["id"])
    except CourseError as error:
        raise ValueError(f"column {header[columns['id']]}: {error}") from None
    name = person.pop("name", "")
    if name and not {"first_name", "last_name"} & person.keys():
        last, comma, first = name.partition(",")
        if not comma:
            first, _, last = name.rpartition(" ")
        person |= {"first_name": first.strip(), "last_name": last.strip()}
    return Enrolled(**person)
