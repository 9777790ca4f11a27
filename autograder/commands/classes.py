"""Commands that prepare a class and give out what it gets."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.app import ClassPath, UnitName, app, out
from autograder.errors import CourseError


@app.command(rich_help_panel="Running a class")
def init(
    directory: ClassPath,
    db: Annotated[
        str | None, typer.Option(metavar="URL", help="The gradebook's database, if not a file in the class directory.")
    ] = None,
) -> None:
    """Make an empty class directory, an ordinary nbgrader course."""
    from autograder.class_directory import init_class

    init_class(directory, db)
    out.print(f"Made the class directory {directory}. Next: course release {directory} 01", soft_wrap=True)


@app.command(rich_help_panel="Running a class")
def release(
    directory: ClassPath,
    unit: UnitName,
    due: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d", "%Y-%m-%d %H:%M"], help="When it is due, in local time."),
    ] = None,
) -> None:
    """Make the notebook for students, and a bundle with all it needs."""
    from autograder.class_directory import open_class
    from autograder.course import find_unit
    from autograder.release import release_unit

    bundle = release_unit(open_class(directory), find_unit(unit), due)
    out.print(f"Give students this bundle: {bundle}", soft_wrap=True)


@app.command(rich_help_panel="Running a class")
def collect(
    directory: ClassPath,
    unit: UnitName,
    files: Annotated[list[Path], typer.Argument(help="Notebooks, folders, or the zip file of Canvas or Moodle.")],
    pattern: Annotated[
        str | None, typer.Option(help="A regular expression for paths, with a group named student.")
    ] = None,
) -> None:
    """Put submissions in place. Whose file it is, is read from its name: see docs/instructor.md."""
    from autograder.class_directory import open_class
    from autograder.collect import collect
    from autograder.course import find_unit

    found = collect(open_class(directory), find_unit(unit), files, pattern)
    for file in found:
        if file.problem:
            out.print(f"[yellow]left out[/] {file.path}: {file.problem}", soft_wrap=True)
    placed = [file for file in found if not file.problem]
    out.print(f"Collected {len(placed)} submissions: {', '.join(file.student for file in placed)}", soft_wrap=True)
    if any(file.problem and not file.student for file in found) or not placed:
        raise typer.Exit(1)


@app.command(rich_help_panel="Running a class")
def feedback(directory: ClassPath, unit: UnitName) -> None:
    """Write a page of feedback for each graded submission."""
    from autograder.class_directory import open_class
    from autograder.course import find_unit
    from autograder.feedback import write_feedback

    pages = write_feedback(open_class(directory), find_unit(unit))
    out.print(f"Wrote {len(pages)} pages, for example {pages[0]}", soft_wrap=True)


@app.command(rich_help_panel="Running a class")
def report(
    directory: ClassPath,
    unit: Annotated[str | None, typer.Argument(metavar="[UNIT]", help="One unit; if not given, all of them.")] = None,
) -> None:
    """Write a page on the class: scores, misconceptions, who is stuck, what needs your eye, similar submissions."""
    from autograder.class_directory import open_class
    from autograder.course import find_unit
    from autograder.report import write_report

    page = write_report(open_class(directory), find_unit(unit) if unit else None)
    out.print(f"Open the report in a browser: {page}", soft_wrap=True)


@app.command(rich_help_panel="Running a class")
def export(
    directory: ClassPath,
    to: Annotated[str, typer.Option(help="csv, canvas or moodle.")] = "csv",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")] = None,
) -> None:
    """Write the scores of the class as a csv file."""
    from autograder.class_directory import open_class
    from autograder.export import FORMS, export_scores

    if to not in FORMS:
        raise CourseError(f"scores can be exported to {', '.join(FORMS)}, not to {to!r}")
    path = output or Path(f"scores-{to}.csv")
    count = export_scores(open_class(directory), to, path)
    out.print(f"Wrote the scores of {count} students to {path}", soft_wrap=True)
