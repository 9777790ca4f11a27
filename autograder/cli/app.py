"""What all commands share: the application, common options, and checks of arguments."""

import os
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer

from autograder.errors import CourseError
from autograder.terminal.console import Console

app = typer.Typer(
    help="A course on Transformers: learn with it, teach a class with it, or write for it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console(highlight=False)
settings = {"debug": False}
STEPS, OCCASIONALLY = "Your class, step by step", "Your class, occasionally"

ClassPath = Annotated[Path, typer.Argument(metavar="DIR", help="The class directory.")]
UnitName = Annotated[str, typer.Argument(metavar="UNIT", help="Number (01) or full name of a unit.")]
Sandbox = Annotated[
    str, typer.Option(help="Sandbox of submissions: bwrap (bubblewrap), or none, which lets them read your files.")
]
Seconds = Annotated[
    int | None,
    typer.Option(metavar="S", min=1, help="Time limit of a cell in seconds. Defaults to the unit's own, 60 or 180."),
]


def _show_version(requested: bool) -> None:
    if requested:
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
    """Print a line literally: paths and ids may contain what rich reads as markup."""
    out.print(text, soft_wrap=True, markup=False)


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def require_grading() -> None:
    """Raise a CourseError on systems without fork, by which a process for each submission is made."""
    if not hasattr(os, "fork"):
        raise CourseError(
            "grading needs Linux: run this there, or in the course's container "
            '(docs/instructor.md, section "A container")'
        )


def known_sandbox(name: str) -> str:
    """Return the name if it is a sandbox, else raise a CourseError; warn of "none"."""
    from autograder.sandbox.command import SANDBOXES

    require_grading()
    if name not in SANDBOXES:
        raise CourseError(f"the sandbox can be {' or '.join(SANDBOXES)}, not {name!r}")
    if name == "none":
        out.print("[yellow]No sandbox: submissions can read and change your files, and these grades may be forged.[/]")
    return name


def require_room(file: Path | None) -> None:
    """Raise a CourseError if an output file could not be written: now, not after minutes of grading."""
    if file is not None and file.is_dir():
        raise CourseError(f"{file} is a folder: name the file to write")
    if file is not None and not file.parent.is_dir():
        raise CourseError(f"{file} cannot be written: there is no folder {file.parent}, so make it first")


def require_address(scheduler: str) -> None:
    if not re.fullmatch(r"(\w+://)?.+:\d+", scheduler):
        raise CourseError(f"{scheduler!r} is not the address of a Dask scheduler, such as tcp://10.0.0.1:8786")


def grade_and_show(results: Iterable, total: int, json_file: Path | None) -> None:
    """Show each result as it arrives, then a summary. Exit code 1: one needs attention; 130: Ctrl-C."""
    from autograder.terminal.progress import show_results

    try:
        attention = show_results(results, total, json_file, out)
    except KeyboardInterrupt:
        out.print("\nStopped. What is graded is kept: run the same command again to go on with the rest.")
        raise typer.Exit(130) from None
    if attention:
        out.print("[yellow]Some submissions need your attention: see above.[/]")
        raise typer.Exit(1)
