"""The command that grades."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.app import (
    STEPS,
    ClassPath,
    Sandbox,
    Seconds,
    UnitName,
    app,
    grade_and_show,
    known_sandbox,
    out,
    require_address,
    require_room,
)


@app.command(rich_help_panel=STEPS)
def grade(
    directory: ClassPath,
    unit: UnitName,
    force: Annotated[bool, typer.Option("--force", help="Regrade unchanged submissions too.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; show whose score would change, and why.")
    ] = False,
    workers: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, help="Number of parallel workers. Defaults to the number of CPU cores."),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Address of a Dask scheduler, to grade on its cluster.")
    ] = None,
    sandbox: Sandbox = "bwrap",
    timeout: Seconds = None,
    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="File for the results, one JSON line for each submission."),
    ] = None,
) -> None:
    """Grade every submission of a unit. Exit code 1: a submission needs your attention."""
    from autograder.classroom.directory import find_class, open_class
    from autograder.course.units import find_unit

    which = find_unit(unit)
    find_class(directory).released(which)
    require_room(json_file)
    if scheduler:
        require_address(scheduler)
    box = known_sandbox(sandbox)

    from autograder.sandbox.zygote_pool import Zygote

    early = None if scheduler else Zygote(which, box)  # it imports what it needs while we do

    from autograder.examiner.assignment import limits_of
    from autograder.grading.dry_run import preview_class
    from autograder.grading.grade_class import grade_class
    from autograder.grading.worker_pool import dask_cluster, local_workers

    there = open_class(directory)
    outcomes = (preview_class if dry_run else grade_class)(
        there,
        which,
        force=force,
        sandbox=box,
        limits=limits_of(which, timeout),
        workers=dask_cluster(scheduler) if scheduler else local_workers(workers, early),
    )
    if dry_run:
        _show_changes(outcomes, len(there.students(which)), json_file)
    else:
        grade_and_show(outcomes, len(there.students(which)), json_file)


def _show_changes(changes: Iterable, total: int, json_file: Path | None) -> None:
    from autograder.terminal.changes_table import changes_table, summary
    from autograder.terminal.progress import moving_line

    found, kinds = [], Counter()
    try:
        with moving_line(total, out) as moving:
            for change in changes:
                found.append(change)
                kinds["moved" if change.moved else "failed" if change.problem else "graded"] += 1
                moving(kinds)
    except KeyboardInterrupt:
        out.print("\nStopped. Nothing was written.")
        raise typer.Exit(130) from None
    if told := [change for change in found if change.moved or change.moves or change.problem]:
        out.print(changes_table(told))
    out.print(summary(found), soft_wrap=True)
    if json_file:
        lines = (json.dumps(change.to_json(), ensure_ascii=False) for change in found)
        json_file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
