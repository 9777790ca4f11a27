"""The `course` command's parts that all commands share."""

import os
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.errors import CourseError

app = typer.Typer(
    help="A course on Transformers: learn with it, teach a class with it, or write for it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console(highlight=False)
settings = {"debug": False}
STEPS, NOW_AND_THEN = "Your class, step by step", "Your class, now and then"

ClassPath = Annotated[Path, typer.Argument(metavar="DIR", help="The class directory.")]
UnitName = Annotated[str, typer.Argument(metavar="UNIT", help="A unit: 01, or its full name.")]
Sandbox = Annotated[
    str, typer.Option(help="Where submissions run: bwrap (bubblewrap), or none, in which they can read your files.")
]
Seconds = Annotated[
    int | None,
    typer.Option(metavar="S", min=1, help="Seconds that each cell may run; otherwise what the unit says: 60, or 180."),
]


def _show_version(asked: bool) -> None:
    if asked:
        try:
            say(f"transformer-course {version('transformer-course')}")
        except PackageNotFoundError:
            raise CourseError("the course is not installed: run `pip install -e .` in its folder") from None
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks of errors.")] = False,
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version of the course.")
    ] = False,
) -> None:
    settings["debug"] = debug


def say(text: str) -> None:
    """A line as it is: paths and ids may hold what rich takes for a style."""
    out.print(text, soft_wrap=True, markup=False)


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def require_grading() -> None:
    """A CourseError where submissions cannot run: a fresh process for each is forked."""
    if not hasattr(os, "fork"):
        raise CourseError(
            "grading needs Linux: run this there, or in the course's container "
            '(docs/instructor.md, section "A container")'
        )


def known_sandbox(name: str) -> str:
    """The name of a sandbox that there is, where there can be one; a warning when it is none."""
    from autograder.sandbox.command import SANDBOXES

    require_grading()
    if name not in SANDBOXES:
        raise CourseError(f"the sandbox can be {' or '.join(SANDBOXES)}, not {name!r}")
    if name == "none":
        out.print("[yellow]No sandbox: submissions can read and change your files, and these grades may be forged.[/]")
    return name


def require_room(file: Path | None) -> None:
    """A CourseError now, and not after minutes of work, if a file could not be written."""
    if file is not None and file.is_dir():
        raise CourseError(f"{file} is a folder: name the file to write")
    if file is not None and not file.parent.is_dir():
        raise CourseError(f"{file} cannot be written: there is no folder {file.parent}, so make it first")


def require_address(scheduler: str) -> None:
    if not re.fullmatch(r"(\w+://)?.+:\d+", scheduler):
        raise CourseError(f"{scheduler!r} is not the address of a Dask scheduler, such as tcp://10.0.0.1:8786")


def grade_and_show(results: Iterable, total: int, json_file: Path | None) -> None:
    """Show each result as it comes, then a summary; exit with 1 when one needs attention, with 130 after Ctrl-C."""
    from autograder.terminal.progress import show_results

    try:
        attention = show_results(results, total, json_file, out)
    except KeyboardInterrupt:
        out.print("\nStopped. What is graded is kept: run the same command again to go on with the rest.")
        raise typer.Exit(130) from None
    if attention:
        out.print("[yellow]Some submissions need your attention: see above.[/]")
        raise typer.Exit(1)
