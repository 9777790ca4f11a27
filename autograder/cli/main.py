"""The entry point of `course`: errors are printed as one sentence, with --debug as a traceback."""

import sys

from rich.markup import escape

from autograder.cli import app, settings
from autograder.cli.lazy_nbgrader import make_nbgrader_lazy
from autograder.errors import CourseError
from autograder.terminal.console import Console

# jsonschema would load a grammar of internet addresses, which takes a second and no notebook needs: None blocks it.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # the import system allows None
make_nbgrader_lazy()


def main() -> None:
    try:
        app()
    except (CourseError, OSError, ImportError) as error:
        if settings["debug"]:
            raise
        Console(stderr=True, highlight=False).print(f"[red]course:[/] {escape(_sentence(error))}", soft_wrap=True)
        sys.exit(1)


def _sentence(error: CourseError | OSError | ImportError) -> str:
    """The error for a person; that of the system, such as a full disk, with the file concerned."""
    if isinstance(error, CourseError):
        return str(error)
    if isinstance(error, ImportError):
        return f"a package is missing or broken, so the command stopped ({error}): `course doctor` says what to install"
    file = f"{error.filename}: " if error.filename else ""
    return f"a file could not be read or written, so the command stopped ({file}{error.strerror or error})"
