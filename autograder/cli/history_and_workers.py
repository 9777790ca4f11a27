"""Commands for the history of a grade and for grading on several machines."""

from typing import Annotated

import typer

from autograder.cli.app import OCCASIONALLY, ClassPath, UnitName, app, out, require_address, require_grading, say


@app.command(rich_help_panel=OCCASIONALLY)
def history(
    directory: ClassPath,
    unit: UnitName,
    student: Annotated[str, typer.Argument(metavar="STUDENT", help="The student's id.")],
) -> None:
    """Show all grades that a student has had in a unit, what changed, and why."""
    from autograder.classroom.directory import open_class
    from autograder.classroom.student_id import require_student_id
    from autograder.course.units import find_unit
    from autograder.gradebook.record_files import all_grades

    which, who = find_unit(unit), require_student_id(student)
    grades = all_grades(open_class(directory), which, who)

    from autograder.terminal.changes_table import history_table, made_lines

    out.print(history_table(grades))
    out.print("What made the grade that counts:")
    for line in made_lines(grades[-1].made) if grades[-1].made else ():
        say(f"  {line}")


@app.command(rich_help_panel=OCCASIONALLY)
def worker(
    address: Annotated[str, typer.Argument(help="Address of a Dask scheduler, such as tcp://10.0.0.1:8786.")],
    count: Annotated[
        int | None,
        typer.Option(
            "--workers", metavar="N", min=1, help="Number of parallel workers. Defaults to the number of CPU cores."
        ),
    ] = None,
) -> None:
    """Join a Dask cluster as a machine that grades, until stopped."""
    from autograder.grading.dask_worker import join_cluster

    require_grading()
    require_address(address)
    join_cluster(address, count)
