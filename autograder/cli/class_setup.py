"""Commands that set up a class, release units and collect submissions."""

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
        str | None,
        typer.Option(metavar="URL", help="URL of the gradebook's database. Defaults to a file in the class directory."),
    ] = None,
) -> None:
    """Create a class directory: an ordinary nbgrader course."""
    from autograder.classroom.directory import init_class

    init_class(directory, db)
    say(f"Made the class directory {directory}.")
    quoted = shlex.quote(str(directory))
    say(f"Next: `course roster {quoted} FILE`, if you have a list of students, then `course release {quoted} 01`.")


@app.command(rich_help_panel=STEPS)
def roster(
    directory: ClassPath,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A csv file from Canvas, Moodle or a spreadsheet.")],
    id_column: Annotated[
        str | None,
        typer.Option("--id", metavar="COLUMN", help="Column of the students' ids. Defaults to the first known one."),
    ] = None,
) -> None:
    """Import the list of students, so that reports and exports include those who submit nothing."""
    from autograder.classroom.directory import open_class
    from autograder.classroom.roster import read_roster
    from autograder.gradebook.enrolment import enrol

    class_directory, students = open_class(directory), read_roster(file, id_column)
    done = enrol(class_directory, students)
    counts = f"{len(done.added)} added, {len(done.changed)} changed, {len(done.as_before)} as before"
    say(f"Students: {counts}. Their ids are from the column {students.id_column}.")
    if done.others:
        say(f"In the gradebook, but not in {file}: {_some(done.others)}")


@app.command(rich_help_panel=STEPS)
def release(
    directory: ClassPath,
    unit: UnitName,
    due: Annotated[
        str | None,
        typer.Option(metavar="DATE", help='Due date in local time: 2027-03-01, or "2027-03-01 18:00".'),
    ] = None,
) -> None:
    """Release a unit: write the zip file for students and set the due date."""
    from autograder.classroom.directory import open_class
    from autograder.classroom.due_date import read_due, show_due
    from autograder.course.units import find_unit

    date = read_due(due) if due is not None else None
    chosen, class_directory = find_unit(unit), open_class(directory)

    from autograder.classroom.release import release_unit

    bundle = release_unit(class_directory, chosen, date)
    say(f"Give students this bundle: {bundle}")
    if date:
        out.print(f"It is due on {show_due(date)}.")


@app.command(rich_help_panel=STEPS)
def collect(
    directory: ClassPath,
    unit: UnitName,
    files: Annotated[
        list[Path],
        typer.Argument(help="Notebooks, folders or zip files to collect. The student is inferred from the path."),
    ],
    pattern: Annotated[
        str | None,
        typer.Option(
            help="Regular expression for paths with a group named student. Defaults to rules in docs/instructor.md."
        ),
    ] = None,
) -> None:
    """Collect submissions: notebooks, folders, or zip files from Canvas or Moodle."""
    from autograder.classroom.collect import collect
    from autograder.classroom.directory import open_class
    from autograder.course.units import find_unit

    chosen = find_unit(unit)
    results = collect(open_class(directory), chosen, files, pattern)
    for file in results:
        if file.problem:
            out.print(f"[yellow]left out[/] {escape(f'{file.path}: {file.problem}')}", soft_wrap=True)
    students = [file.student for file in results if file.student and not file.problem]
    say(f"Collected {counted(len(students), 'submission')}: {_some(students)}")
    if any(file.problem and not file.student for file in results) or not students:
        raise typer.Exit(1)


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:MOST_NAMED]) + (f" … and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else "")
