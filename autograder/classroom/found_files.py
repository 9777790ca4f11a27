"""Find notebooks in files, folders and zip files that others made; what cannot be read is told, and costs no other."""

import io
import os
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from autograder.course.submitted_notebook import LARGEST_FILE
from autograder.errors import CourseError
from autograder.outside_files import Refused, files_below, megabytes, open_below

ZIPS_WITHIN_ZIPS = 2  # an LMS zips what may be zips of students; deeper nesting may be a zip bomb
MOST_MEMBERS = 100_000  # of a zip file
MOST_UNPACKED = 50  # times the size of a zip file, beyond one notebook of any size
NOT_SUBMISSIONS = ("__MACOSX", ".ipynb_checkpoints")
DAMAGED = "it cannot be unpacked: is it damaged, or does it need a password?"


@dataclass(frozen=True)
class Found:
    """A notebook's file; a zip file counts as a folder of its path."""

    path: str
    modified: datetime
    data: bytes


@dataclass(frozen=True)
class Unusable:
    """A file that should be a notebook, or hold some, and why it cannot be read."""

    path: str
    problem: str


def find_files(paths: Iterable[Path], root: Path) -> Iterator[Found | Unusable]:
    """Every notebook at or below the paths that is not in the class directory `root`, one in memory at a time."""
    for path in paths:
        if not path.exists():
            raise CourseError(f"there is no file or folder {path}")
        if path.resolve().is_relative_to(root):
            raise CourseError(
                f"{path} is in the class directory itself: what lies in {root / 'submitted'} is collected already, "
                "so grade it; or name the files that came in"
            )
        if not path.is_dir():
            yield from _read(path.resolve().parent, path.resolve(), path.as_posix())
            continue
        for file, refused in files_below(path):
            shown = file.relative_to(path).as_posix()
            if (path.resolve() / shown).is_relative_to(root):
                continue  # notebooks of the class directory itself are not submissions
            if refused and (file.suffix == "" or _wanted(shown)):  # a link without a suffix may be one to a folder
                yield Unusable(shown, str(refused))
            elif not refused:
                yield from _read(path, file, shown)


def _read(above: Path, path: Path, shown: str) -> Iterator[Found | Unusable]:
    if not _wanted(shown):
        return
    is_zip = shown.endswith(".zip")
    try:
        with open_below(above, path, None if is_zip else LARGEST_FILE) as file:
            status = os.fstat(file.fileno())
            if is_zip:
                yield from _unpack(shown, file, status.st_size, ZIPS_WITHIN_ZIPS)
            else:
                yield Found(shown, datetime.fromtimestamp(status.st_mtime).astimezone(), file.read())
    except Refused as refused:
        yield Unusable(shown, str(refused))
    except (OSError, OverflowError, ValueError):
        yield Unusable(shown, "it cannot be read, or its time is one that no clock shows")


def _unpack(path: str, file: BinaryIO, size: int, depth: int) -> Iterator[Found | Unusable]:
    """The notebooks in a zip file, and in the zip files in it."""
    try:
        archive = zipfile.ZipFile(file)
    except Exception:  # of many kinds, for what is no zip file
        yield Unusable(path, "it is not a complete zip file: fetch it again")
        return
    left = LARGEST_FILE + MOST_UNPACKED * size
    with archive:
        if len(archive.infolist()) > MOST_MEMBERS:
            yield Unusable(path, f"it has more than {MOST_MEMBERS:,} files in it, which no class hands in")
            return
        for member in archive.infolist():
            if not _wanted(member.filename) or depth == 0:
                continue
            within = f"{path.removesuffix('.zip')}/{member.filename}"
            left -= member.file_size
            if member.file_size > LARGEST_FILE:
                yield Unusable(within, f"it unpacks to {megabytes(member.file_size)}, too large for a notebook")
            elif left < 0:
                yield Unusable(path, "it unpacks to far more than its size, so the rest was left out: ask for it anew")
                return
            else:
                yield from _unpack_one(archive, member, within, depth)


def _unpack_one(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str, depth: int) -> Iterator[Found | Unusable]:
    try:
        data, modified = archive.read(member), datetime(*member.date_time).astimezone()
    except Exception:  # of many kinds: each way of packing has its own
        yield Unusable(path, DAMAGED)
        return
    if path.endswith(".zip"):
        yield from _unpack(path, io.BytesIO(data), len(data), depth - 1)
    else:
        yield Found(path, modified, data)


def _wanted(path: str) -> bool:
    return path.endswith((".ipynb", ".zip")) and not any(name in path for name in NOT_SUBMISSIONS)
