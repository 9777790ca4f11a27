"""Where the `course` command begins: an error is one sentence, unless tracebacks are asked for."""

import sys

from rich.console import Console
from rich.markup import escape

from autograder.commands import app, settings
from autograder.errors import CourseError


def main() -> None:
    try:
        app()
    except (CourseError, OSError) as error:
        if settings["debug"]:
            raise
        said = str(error) if isinstance(error, CourseError) else _of_a_file(error)
        Console(stderr=True, highlight=False).print(f"[red]course:[/] {escape(said)}", soft_wrap=True)
        sys.exit(1)


def _of_a_file(error: OSError) -> str:
    """A disk that is full, a folder that may not be written to: which file, and why."""
    what = f"{error.filename}: " if error.filename else ""
    return f"a file could not be read or written, so the command stopped ({what}{error.strerror or error})"
