"""Where the `course` command begins: an error is one sentence, unless tracebacks are asked for."""

import sys

from rich.console import Console
from rich.markup import escape

from autograder.commands import app, settings
from autograder.errors import CourseError


def main() -> None:
    try:
        app()
    except CourseError as error:
        if settings["debug"]:
            raise
        Console(stderr=True, highlight=False).print(f"[red]course:[/] {escape(str(error))}", soft_wrap=True)
        sys.exit(1)
