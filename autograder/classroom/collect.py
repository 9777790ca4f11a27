"""Collect submissions into the class directory from files, folders and the zip files of Canvas and Moodle."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.classroom.directory import ClassDirectory, write_timestamp
from autograder.classroom.filename_rules import read_rule, student_of
from autograder.classroom.found_files import Found, Unusable, find_files
from autograder.classroom.notes import NOTES, SECRET
from autograder.classroom.student_id import require_student_id
from autograder.course.units import Unit
from autograder.errors import CourseError


@dataclass(frozen=True)
class Collected:
    """A file found in the given paths; `problem` says why it was left out."""

    path: str
    student: str | None = None
    handed_in: datetime | None = None
    problem: str | None = None


def collect(
    directory: ClassDirectory, unit: Unit, paths: Iterable[Path], pattern: str | None = None
) -> list[Collected]:
    """Copy each student's latest file to submitted/, and report on every file found."""
    directory.released(unit)
    rule = None if pattern is None else read_rule(pattern)
    collected: list[Collected] = []
    latest: dict[str, tuple[str, datetime]] = {}
    for file in find_files(paths, directory.root):
        if isinstance(file, Unusable):
            collected.append(Collected(file.path, problem=file.problem))
            continue
        try:
            student = require_student_id(student_of(file.path, unit, rule))
        except CourseError as error:
            collected.append(Collected(file.path, problem=str(error)))
            continue
        this = (file.path, file.modified)
        older, newer = sorted([latest.get(student, this), this], key=lambda one: one[1])
        if older is not newer:
            problem = f"{student} handed in a later file, {newer[0]}"
            collected.append(Collected(older[0], student, problem=problem))
        if newer is this:
            _place(directory, unit, student, file)
        latest[student] = newer
    return [*collected, *(Collected(path, student, time) for student, (path, time) in sorted(latest.items()))]


def _place(directory: ClassDirectory, unit: Unit, student: str, file: Found) -> None:
    target = directory.submission(student, unit)
    target.parent.mkdir(parents=True, exist_ok=True)
    for path in (target, *map(target.with_name, NOTES)):
        if path.is_symlink():  # what nbgrader's exchange has copied may hold some: to write would change where it leads
            path.unlink()
    target.write_bytes(file.data)
    write_timestamp(target.parent, file.modified)
    secret = target.with_name(SECRET)
    if not secret.exists():
        secret.write_text(secrets.token_hex(32), "utf-8")
