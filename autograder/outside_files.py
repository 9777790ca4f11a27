"""Open what others wrote: regular files of a bounded size, through no link, and without ever waiting for a writer."""

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from autograder.errors import CourseError

KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a folder",
    stat.S_IFREG: "a file",
}
STEP_BY_STEP = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")  # not on Windows
# O_NONBLOCK: a pipe that somebody puts there after it was looked at does not make us wait
FLAGS = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))


class Refused(CourseError):
    """Why a file is not read."""


class Missing(Refused):
    """There is no such file."""


@contextmanager
def open_below(root: Path, path: Path, most: int | None = None) -> Iterator[BinaryIO]:
    """The file at `path`, of at most so many bytes; no part of the path below `root` may be a link.

    Raises Refused if the file cannot be opened so; what goes wrong later, while it is read, is an OSError.
    """
    shown = path.relative_to(root).as_posix()
    try:
        descriptor = _descriptor(root, path.relative_to(root).parts, shown)
    except (FileNotFoundError, NotADirectoryError):
        raise Missing(f"{shown} is missing") from None
    except (OSError, ValueError) as error:
        raise Refused(f"{shown} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        _require(status, stat.S_IFREG, shown)
        if most is not None and status.st_size > most:
            raise _too_large(shown, status.st_size, most)
        yield file


def read_below(root: Path, path: Path, most: int) -> bytes:
    """The bytes of the file at `path`, as `open_below` opens it."""
    with open_below(root, path, most) as file:
        try:
            data = file.read(most + 1)
        except OSError as error:
            raise Refused(f"{path.relative_to(root).as_posix()} cannot be read: {error.strerror}") from None
    if len(data) > most:  # it grew meanwhile, or is a file of the system's, whose size is told as 0
        raise _too_large(path.relative_to(root).as_posix(), len(data), most)
    return data


def read_named(path: Path, most: int) -> bytes:
    """The bytes of a file that a person names on the command line: they may well name a link to it."""
    try:
        real = path.resolve()
    except (OSError, RuntimeError):  # links in a circle
        raise Refused(f"{path} cannot be read: it is a link to itself") from None
    return read_below(real.parent, real, most)


def files_below(root: Path) -> Iterator[tuple[Path, Refused | None]]:
    """Every file below a folder, in order, with the reason if it is none that is read; links are not followed."""
    waiting = [root]
    while waiting:
        folder = waiting.pop(0)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            kinds = [entry.stat(follow_symlinks=False) for entry in entries]
        except OSError as error:
            yield folder, Refused(f"{folder.relative_to(root).as_posix()} cannot be read: {error.strerror}")
            continue
        inside = []
        for entry, status in zip(entries, kinds, strict=True):
            path = Path(entry.path)
            if stat.S_ISDIR(status.st_mode):
                inside.append(path)
            elif stat.S_ISREG(status.st_mode):
                yield path, None
            else:
                yield path, Refused(_refusal(path.relative_to(root).as_posix(), status))
        waiting = inside + waiting


def _descriptor(root: Path, parts: Sequence[str], shown: str) -> int:
    if not STEP_BY_STEP:
        for depth in range(1, len(parts) + 1):
            wanted = stat.S_IFREG if depth == len(parts) else stat.S_IFDIR
            _require(os.lstat(root.joinpath(*parts[:depth])), wanted, "/".join(parts[:depth]))
        return os.open(root.joinpath(*parts), FLAGS)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for depth, part in enumerate(parts, 1):
            wanted = stat.S_IFREG if depth == len(parts) else stat.S_IFDIR
            # looked at before it is opened: to open a device may do something already
            _require(os.stat(part, dir_fd=folder, follow_symlinks=False), wanted, "/".join(parts[:depth]))
            above, folder = folder, os.open(part, os.O_RDONLY | FLAGS, dir_fd=folder)
            os.close(above)
        opened, folder = folder, -1
        return opened
    finally:
        if folder >= 0:
            os.close(folder)


def _require(status: os.stat_result, wanted: int, shown: str) -> None:
    if stat.S_IFMT(status.st_mode) != wanted:
        raise Refused(_refusal(shown, status, KINDS[wanted]))


def _refusal(shown: str, status: os.stat_result, wanted: str = "a file") -> str:
    kind = KINDS.get(stat.S_IFMT(status.st_mode), "of no known kind")
    return f"{shown} is {kind}, expected {wanted}: put {wanted} in its place"


def _too_large(shown: str, size: int, most: int) -> Refused:
    return Refused(f"{shown} has {megabytes(size)}; the most that is read is {megabytes(most)}")


def megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size:,} bytes"
