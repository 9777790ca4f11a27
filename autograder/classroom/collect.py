"""Collect submissions into the class directory from files, folders and the zip files of Canvas and Moodle."""

import io
import secrets
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.classroom.directory import ClassDirectory, write_timestamp
from autograder.classroom.filename_rules import read_rule, student_of
from autograder.classroom.student_id import require_student_id
from autograder.course.submitted_notebook import LARGEST
from autograder.course.units import Unit
from autograder.errors import CourseError

ZIPS_WITHIN_ZIPS = 2  # an LMS zips what may be zips of students; deeper nesting may be a zip bomb
SECRET = "submission_secret.txt"  # nbgrader releases feedback only if every submission has this file
NOT_SUBMISSIONS = ("__MACOSX", ".ipynb_checkpoints")


@dataclass(frozen=True)
class Collected:
    """A file found in the given paths; `problem` says why it was left out."""

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
    """Copy each student's latest file to submitted/, and report on every file found."""
    directory.released(unit)
    rule = None if pattern is None else read_rule(pattern)
    collected: list[Collected] = []
    latest: dict[str, _File] = {}
    for file in _find(paths, directory.root):
        if isinstance(file, Collected):
            collected.append(file)
            continue
        try:
            student = require_student_id(student_of(file.path, unit, rule))
        except CourseError as error:
            collected.append(Collected(file.path, problem=str(error)))
            continue
        older, newer = sorted([latest.get(student, file), file], key=lambda f: f.modified)
        if older is not newer:
            collected.append(Collected(older.path, student, problem=f"{student} handed in a later file, {newer.path}"))
        latest[student] = newer
    for student, file in sorted(latest.items()):
        _place(directory, unit, student, file)
        collected.append(Collected(file.path, student, file.modified))
    return collected


def _place(directory: ClassDirectory, unit: Unit, student: str, file: _File) -> None:
    target = directory.submission(student, unit)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(file.data)
    write_timestamp(target.parent, file.modified)
    secret = target.parent / SECRET
    if not secret.exists():
        secret.write_text(secrets.token_hex(32), "utf-8")


def _find(paths: Iterable[Path], root: Path) -> Iterator[_File | Collected]:
    for path in paths:
        if not path.exists():
            raise CourseError(f"there is no file or folder {path}")
        if path.resolve().is_relative_to(root):
            raise CourseError(
                f"{path} is in the class directory itself: what lies in {root / 'submitted'} is collected already, "
                "so grade it; or name the files that came in"
            )
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.resolve().is_relative_to(root):
                continue  # notebooks of the class directory itself are not submissions
            shown = (file.relative_to(path) if path.is_dir() else file).as_posix()
            if file.is_file() and _wanted(shown):
                modified = datetime.fromtimestamp(file.stat().st_mtime).astimezone()
                yield from _open(_File(shown, file.read_bytes(), modified), ZIPS_WITHIN_ZIPS)


def _open(file: _File, depth: int) -> Iterator[_File | Collected]:
    """The file itself, or the notebooks in a zip, whose name becomes a folder; for a bad file, what is wrong."""
    if not file.path.endswith(".zip"):
        yield file
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
    except zipfile.BadZipFile:
        yield Collected(file.path, problem="it is not a complete zip file: fetch it again")
        return
    with archive:
        for member in archive.infolist():
            if member.is_dir() or not _wanted(member.filename) or depth == 0:
                continue
            path = f"{file.path.removesuffix('.zip')}/{member.filename}"
            if member.file_size > LARGEST:
                yield Collected(
                    path, problem=f"it unpacks to {member.file_size / 1e6:.0f} MB, too large for a notebook"
                )
                continue
            try:
                inner = _File(path, archive.read(member), datetime(*member.date_time).astimezone())
            except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, ValueError, EOFError):
                yield Collected(path, problem="it cannot be unpacked: is it damaged, or does it need a password?")
                continue
            yield from _open(inner, depth - 1)


def _wanted(path: str) -> bool:
    return path.endswith((".ipynb", ".zip")) and not any(name in path for name in NOT_SUBMISSIONS)
