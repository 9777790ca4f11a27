"""Commands that prepare a class and take in what students hand in."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from autograder.cli.app import STEPS, ClassPath, UnitName, app, counted, out, say

MOST_NAMED = 20


@app.command(rich_help_panel=STEPS)
def init(
    directory: ClassPath,
    db: Annotated[
        str | None, typer.Option(metavar="URL", help="The gradebook's database, if not a file in the class directory.")
    ] = None,
) -> None:
    """Make the folder of a new class, the class directory: an ordinary nbgrader course."""
    from autograder.classroom.directory import init_class

    init_class(directory, db)
    say(f"Made the class directory {directory}.")
    here = shlex.quote(str(directory))
    say(f"Next: `course roster {here} FILE`, if you have a list of students, then `course release {here} 01`.")


@app.command(rich_help_panel=STEPS)
def roster(
    directory: ClassPath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A csv file: from Canvas, Moodle or a spreadsheet.")],
    id_column: Annotated[
        str | None, typer.Option("--id", metavar="COLUMN", help="The column that holds the ids, if it is not found.")
    ] = None,
) -> None:
    """Import your list of students, so that those who hand in nothing are known too."""
    from autograder.classroom.directory import open_class
    from autograder.classroom.roster import read_roster
    from autograder.gradebook.enrolment import enrol

    there, found = open_class(directory), read_roster(file, id_column)
    done = enrol(there, found)
    counts = f"{len(done.added)} added, {len(done.changed)} changed, {len(done.as_before)} as before"
    say(f"Students: {counts}. Their ids are from the column {found.id_column}.")
    if done.others:
        say(f"In the gradebook, but not in {file}: {_some(done.others)}")


@app.command(rich_help_panel=STEPS)
def release(
    directory: ClassPath,
    unit: UnitName,
    due: Annotated[
        str | None,
        typer.Option(metavar="DATE", help='When it is due, in local time: 2027-03-01, or "2027-03-01 18:00".'),
    ] = None,
) -> None:
    """Give out a unit: make the file for your students, and say when it is due."""
    from autograder.classroom.directory import open_class
    from autograder.classroom.due_date import read_due, show_due
    from autograder.course.units import find_unit

    date = read_due(due) if due is not None else None
    which, there = find_unit(unit), open_class(directory)

    from autograder.classroom.release import release_unit

    bundle = release_unit(there, which, date)
    say(f"Give students this bundle: {bundle}")
    if date:
        out.print(f"It is due on {show_due(date)}.")


@app.command(rich_help_panel=STEPS)
def collect(
    directory: ClassPath,
    unit: UnitName,
    files: Annotated[
        list[Path],
        typer.Argument(help="What came in; whose file it is, is read from its name: see docs/instructor.md."),
    ],
    pattern: Annotated[
        str | None, typer.Option(help="A regular expression for paths, with a group named student.")
    ] = None,
) -> None:
    """Take in what was handed in: notebooks, folders, or the zip file of Canvas or Moodle."""
    from autograder.classroom.collect import collect
    from autograder.classroom.directory import open_class
    from autograder.course.units import find_unit

    which, there = find_unit(unit), open_class(directory)
    found = collect(there, which, files, pattern)
    for file in found:
        if file.problem:
            out.print(f"[yellow]left out[/] {escape(f'{file.path}: {file.problem}')}", soft_wrap=True)
    placed = [file for file in found if not file.problem]
    say(f"Collected {counted(len(placed), 'submission')}: {_some([file.student for file in placed])}")
    if any(file.problem and not file.student for file in found) or not placed:
        raise typer.Exit(1)


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:MOST_NAMED]) + (f" … and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else "")
