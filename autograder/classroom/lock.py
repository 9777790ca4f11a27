"""An advisory lock on a class directory, with its holder's name in the file."""

import errno
import getpass
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import TextIO

from autograder.errors import CourseError

LOCK = "course.lock"
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)  # of a network file system that has none
BEYOND = 1 << 20  # Windows locks bytes, not files; this one lies past the text, so that others can read the holder


@contextmanager
def class_lock(root: Path, task: str) -> Iterator[None]:
    """Hold the lock; a CourseError names the holder if another process has it."""
    holder = f"{_user()} on {socket.gethostname()}, process {os.getpid()}, {task} since {datetime.now():%H:%M}"
    with (root / LOCK).open("a+") as file:
        if hasattr(os, "register_at_fork"):
            # Forked workers inherit the descriptor: close it, or the lock outlives a killed coordinator.
            os.register_at_fork(after_in_child=file.close)
        try:
            _lock(file)
        except OSError as error:
            if error.errno in NO_LOCKS:
                raise CourseError(
                    f"{root / LOCK} cannot be locked ({error.strerror}), so two could write at once: "
                    "put the class on a file system with locks, such as a local disk"
                ) from None
            file.seek(0)
            raise CourseError(f"someone else is at work in {root}: {file.read().strip()}") from None
        file.truncate(0)
        file.write(holder)
        file.flush()
        yield
        file.truncate(0)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # the uid has no name, as in many containers
        return "someone"


def _lock(file: TextIO) -> None:
    """Lock until the file is closed; OSError if another process has the lock."""
    try:
        import fcntl
    except ImportError:  # on Windows
        msvcrt = import_module("msvcrt")  # by name: type checkers know it on Windows alone
        os.lseek(file.fileno(), BEYOND, os.SEEK_SET)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
