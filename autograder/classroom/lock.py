"""One at a time in a class: the lock on its directory, which says who holds it."""

import getpass
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TextIO

from autograder.errors import CourseError

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

LOCK = "course.lock"
BEYOND = 1 << 20  # Windows locks bytes and not files: one after all that is written, so that others can read


@contextmanager
def class_lock(root: Path, task: str) -> Iterator[None]:
    """Keep others from the class in a directory meanwhile; a CourseError says who is at it."""
    holder = f"{_user()} on {socket.gethostname()}, process {os.getpid()}, {task} since {datetime.now():%H:%M}"
    with (root / LOCK).open("a+") as file:
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=file.close)  # or a worker would hold the lock of a killed coordinator
        try:
            _lock(file)
        except OSError:
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
    except (KeyError, OSError, ImportError):  # nobody knows the number, as in many a container
        return "someone"


def _lock(file: TextIO) -> None:
    """Until the file is closed; an OSError if another process has the lock."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        import msvcrt

        os.lseek(file.fileno(), BEYOND, os.SEEK_SET)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
