"""Commands to try the course and look after its installation."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from autograder.cli.app import app, out, require_grading
from autograder.errors import CourseError


@app.command(rich_help_panel="First of all")
def demo(
    folder: Annotated[
        Path | None, typer.Option(help="Where to make the class; a temporary folder if not given.")
    ] = None,
) -> None:
    """See it all in a minute: a class of forty submissions is made, graded and reported on."""
    require_grading()
    root = folder.resolve() if folder else Path(tempfile.mkdtemp(prefix="transformer-course-"))
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise CourseError(f"{root} is not empty: name a folder that does not exist yet")
    root.mkdir(parents=True, exist_ok=True)

    from autograder.demo.tour import tour

    tour(root, out)


@app.command(rich_help_panel="First of all")
def doctor(
    directory: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="A class directory to look at too.")] = None,
) -> None:
    """Look whether everything is here that the course needs, and whether a class is well."""
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
