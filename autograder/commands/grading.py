"""Commands that grade."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.app import ClassPath, Sandbox, Seconds, UnitName, app, grade_and_show, known_sandbox


@app.command(rich_help_panel="Running a class")
def grade(
    directory: ClassPath,
    unit: UnitName,
    force: Annotated[bool, typer.Option("--force", help="Grade again what has not changed.")] = False,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Grade so many at a time; as many as cores if not given.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Grade on the Dask cluster of this scheduler.")
    ] = None,
    sandbox: Sandbox = "bwrap",
    timeout: Seconds = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write one JSON line for each submission.")
    ] = None,
) -> None:
    """Grade every submission of a unit. Exit code 1 says that one of them needs your attention."""
    from autograder.course import find_unit
    from autograder.examiner.zygotes import Zygote

    which, box = find_unit(unit), known_sandbox(sandbox)
    early = None if scheduler else Zygote(which, box)  # it imports what it needs while we do

    from autograder.assignment import limits_of
    from autograder.class_directory import open_class
    from autograder.grading import grade_class
    from autograder.runner import dask_cluster, local_workers

    there = open_class(directory)
    results = grade_class(
        there,
        which,
        force=force,
        sandbox=box,
        limits=limits_of(which, timeout),
        workers=dask_cluster(scheduler) if scheduler else local_workers(workers, early),
    )
    grade_and_show(results, len(there.students(which)), json_file)


@app.command(rich_help_panel="Running a class")
def worker(
    address: Annotated[str, typer.Argument(help="The address of a Dask scheduler, such as tcp://10.0.0.1:8786.")],
    count: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", min=1, help="So many at a time; as many as cores otherwise."),
    ] = None,
) -> None:
    """Join a Dask cluster and grade what it is sent, until it is stopped."""
    from autograder.dask_worker import join_cluster

    join_cluster(address, count)
