"""Collect submissions: files, folders and the zip files of Canvas and Moodle, into the class directory.

Whose file it is, is read from its path; a zip file counts as a folder. The first rule that fits:

    NAME_12345_67890_…                  Canvas (NAME_LATE_12345_67890_… when late); the student is 12345
    NAME_12345_assignsubmission_file_…  Moodle, as a file or as a folder; the student is 12345
    STUDENT_UNIT, UNIT_STUDENT          where UNIT is the unit's full name
    STUDENT/…/UNIT.ipynb                the nearest folder that is not itself called UNIT
    STUDENT.ipynb                       outside any folder

UNIT may carry what browsers and Canvas add to a second copy: "-1", " (1)".
"""

import io
import re
import secrets
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from autograder.class_directory import ClassDirectory, require_student_id, write_timestamp
from autograder.course import Unit
from autograder.errors import CourseError
from autograder.submission import LARGEST

ZIPS_WITHIN_ZIPS = 2
COPY = r"(?:-\d+| ?\(\d+\))?"
CANVAS = r"[^_]+(?:_LATE)?_(?P<student>\d+)_\d+_.+"
MOODLE = r".*_(?P<student>\d+)_assignsubmission_file.*"
SECRET = "submission_secret.txt"  # nbgrader releases no feedback in a class where one submission has none
NOT_SUBMISSIONS = ("__MACOSX", ".ipynb_checkpoints")


@dataclass(frozen=True)
class Collected:
    """A file that was found; `problem` says why it was left out."""

    path: str
    student: str | None = None
    handed_in: datetime | None = None
    problem: str | None = None


@dataclass(frozen=True)
class _File:
    path: str
    data: bytes
    modified: datetime


def collect(
    directory: ClassDirectory, unit: Unit, paths: Iterable[Path], pattern: str | None = None
) -> list[Collected]:
    """Put each student's latest file in place, and say for every file what became of it."""
    directory.released(unit)
    found: list[Collected] = []
    latest: dict[str, _File] = {}
    for file in _find(paths):
        try:
            student = require_student_id(_student(file.path, unit, pattern))
        except CourseError as error:
            found.append(Collected(file.path, problem=str(error)))
            continue
        older, newer = sorted([latest.get(student, file), file], key=lambda f: f.modified)
        if older is not newer:
            found.append(Collected(older.path, student, problem=f"{student} handed in a later file, {newer.path}"))
        latest[student] = newer
    for student, file in sorted(latest.items()):
        _place(directory, unit, student, file)
        found.append(Collected(file.path, student, file.modified))
    return found


def _place(directory: ClassDirectory, unit: Unit, student: str, file: _File) -> None:
    target = directory.submission(student, unit)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(file.data)
    write_timestamp(target.parent, file.modified)
    secret = target.parent / SECRET
    if not secret.exists():
        secret.write_text(secrets.token_hex(32), "utf-8")


def _student(path: str, unit: Unit, pattern: str | None) -> str:
    if pattern is not None:
        match = re.search(pattern, path)
        if match is None or "student" not in match.groupdict():
            raise CourseError(f"the pattern {pattern!r} finds no student (a group named student) in {path}")
        return match["student"]
    name = re.escape(unit.full_name) + COPY
    *folders, last = (re.sub(r"\.(ipynb|zip)$", "", part) for part in PurePosixPath(path).parts)
    for rule in (CANVAS, MOODLE, rf"(?P<student>.+?)[_-]{name}", rf"{name}[_-](?P<student>.+)"):
        for part in (*folders, last):
            if match := re.fullmatch(rule, part, flags=re.DOTALL):
                return match["student"]
    folders = [folder for folder in folders if not re.fullmatch(name, folder)]
    if folders:
        return folders[-1]
    if re.fullmatch(name, last):
        raise CourseError(f"{path} does not say whose it is: put it in a folder named after the student")
    return last


def _find(paths: Iterable[Path]) -> Iterator[_File]:
    for path in paths:
        if not path.exists():
            raise CourseError(f"there is no file or folder {path}")
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            shown = (file.relative_to(path) if path.is_dir() else file).as_posix()
            if file.is_file() and _wanted(shown):
                modified = datetime.fromtimestamp(file.stat().st_mtime).astimezone()
                yield from _open(_File(shown, file.read_bytes(), modified), ZIPS_WITHIN_ZIPS)


def _open(file: _File, depth: int) -> Iterator[_File]:
    """The notebooks in a file: itself, or the members of a zip, whose name becomes a folder."""
    if not file.path.endswith(".zip"):
        yield file
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
    except zipfile.BadZipFile:
        raise CourseError(f"{file.path} is not a complete zip file") from None
    with archive:
        for member in archive.infolist():
            if member.is_dir() or not _wanted(member.filename) or depth == 0:
                continue
            if member.file_size > LARGEST:
                raise CourseError(f"{member.filename} in {file.path} unpacks to {member.file_size / 1e6:.0f} MB")
            path = f"{file.path.removesuffix('.zip')}/{member.filename}"
            modified = datetime(*member.date_time).astimezone()
            yield from _open(_File(path, archive.read(member), modified), depth - 1)


def _wanted(path: str) -> bool:
    return path.endswith((".ipynb", ".zip")) and not any(name in path for name in NOT_SUBMISSIONS)
