"""Commands that write results: feedback for students, a report for instructors, scores for an LMS."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.app import STEPS, ClassPath, UnitName, app, counted, out, say
from autograder.errors import CourseError


@app.command(rich_help_panel=STEPS)
def feedback(directory: ClassPath, unit: UnitName) -> None:
    """Write a feedback page for each student: points, findings and your comments."""
    from autograder.classroom.directory import open_class
    from autograder.course.units import find_unit

    which, there = find_unit(unit), open_class(directory)

    from autograder.reports.feedback.write import write_feedback

    pages = write_feedback(there, which)
    say(f"Wrote {counted(len(pages), 'page')}, for example {pages[0]}")


@app.command(rich_help_panel=STEPS)
def report(
    directory: ClassPath,
    unit: Annotated[
        str | None, typer.Argument(metavar="[UNIT]", help="Number or full name of a unit. Defaults to all units.")
    ] = None,
) -> None:
    """Write a report for you: scores, misconceptions, students who are stuck, similar submissions, what to check."""
    from autograder.classroom.directory import open_class
    from autograder.course.units import find_unit

    which, there = find_unit(unit) if unit else None, open_class(directory)

    from autograder.reports.class_report.write import write_report

    page = write_report(there, which)
    say(f"Open the report in a browser: {page}")


@app.command(rich_help_panel=STEPS)
def export(
    directory: ClassPath,
    to: Annotated[str, typer.Option(help="Format: csv, canvas or moodle.")] = "csv",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write. Defaults to scores-FORMAT.csv.")
    ] = None,
) -> None:
    """Export the scores for a spreadsheet, Canvas or Moodle."""
    from autograder.classroom.directory import open_class
    from autograder.gradebook.export import FORMS, export_scores

    if to not in FORMS:
        raise CourseError(f"scores can be exported to {', '.join(FORMS)}, not to {to!r}")
    path = output or Path(f"scores-{to}.csv")
    if path.is_dir():
        raise CourseError(f"{path} is a folder: name the file to write, such as {path / f'scores-{to}.csv'}")
    people, waiting = export_scores(open_class(directory), to, path)
    say(f"Wrote the scores of {counted(people, 'student')} to {path}")
    if waiting:
        has = "has an answer that still waits" if waiting == 1 else "have answers that still wait"
        out.print(f"[yellow]{counted(waiting, 'submission')} {has} for a person's grade.[/]")
