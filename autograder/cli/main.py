"""Where the `course` command begins: an error is one sentence, unless tracebacks are asked for."""

import sys

from rich.console import Console
from rich.markup import escape

from autograder.cli import app, settings
from autograder.cli.lazy_nbgrader import make_nbgrader_lazy
from autograder.errors import CourseError

# A grammar of internet addresses that jsonschema would load, which takes a second; no notebook is checked for any.
sys.modules.setdefault("rfc3987_syntax", None)
make_nbgrader_lazy()


def main() -> None:
    try:
        app()
    except (CourseError, OSError, ImportError) as error:
        if settings["debug"]:
            raise
        Console(stderr=True, highlight=False).print(f"[red]course:[/] {escape(_said(error))}", soft_wrap=True)
        sys.exit(1)


def _said(error: CourseError | OSError | ImportError) -> str:
    """Of a disk that is full, or a folder that may not be written to: which file, and why."""
    if isinstance(error, CourseError):
        return str(error)
    if isinstance(error, ImportError):
        return f"a package is missing or broken, so the command stopped ({error}): `course doctor` says what to install"
    what = f"{error.filename}: " if error.filename else ""
    return f"a file could not be read or written, so the command stopped ({what}{error.strerror or error})"
