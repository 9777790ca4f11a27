"""Submissions put in place in a class directory, as `course collect` does."""

from datetime import datetime
from pathlib import Path

from nbformat import NotebookNode

from autograder.classroom.directory import ClassDirectory, write_timestamp
from autograder.course.notebooks import write_notebook
from autograder.course.units import Unit


def put_submission(
    directory: ClassDirectory, unit: Unit, student: str, content: NotebookNode | bytes, when: datetime | None = None
) -> Path:
    """A notebook, or the bytes of a file that may be none, handed in at a moment (now, if not given)."""
    path = directory.submission(student, unit)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else write_notebook(content).encode())
    write_timestamp(path.parent, when or datetime.now())
    return path
