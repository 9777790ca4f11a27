"""Commands to try the course and to check its installation."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from autograder.cli.app import app, out, require_grading
from autograder.errors import CourseError


@app.command(rich_help_panel="Getting started")
def demo(
    folder: Annotated[Path | None, typer.Option(help="Folder for the class. Defaults to a temporary folder.")] = None,
) -> None:
    """Try everything in a minute: make a class of forty submissions, grade it and report on it."""
    require_grading()
    root = folder.resolve() if folder else Path(tempfile.mkdtemp(prefix="transformer-course-"))
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise CourseError(f"{root} is not empty: name a folder that does not exist yet")
    root.mkdir(parents=True, exist_ok=True)

    from autograder.demo.tour import tour

    tour(root, out)


@app.command(rich_help_panel="Getting started")
def doctor(
    directory: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="Class directory to check too.")] = None,
) -> None:
    """Check the installation and, optionally, a class directory."""
    if directory:
        from autograder.classroom.directory import find_class, open_class

        find_class(directory)

    from autograder.lab.doctor import examine_class, examine_installation

    def signs() -> Iterator:
        yield from examine_installation()
        if directory:
            yield from examine_class(open_class(directory))

    well = True
    for sign in signs():
        well &= sign.well or sign.only_warns
        mark = "[green]✓[/]" if sign.well else "[yellow]![/]" if sign.only_warns else "[red]✗[/]"
        advice = "" if sign.well else f" → {sign.advice}"
        out.print(f"{mark} {escape(f'{sign.name}: {sign.found}{advice}')}", soft_wrap=True)
    if not well:
        raise typer.Exit(1)
