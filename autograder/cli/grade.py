"""The command that grades."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from autograder.gradebook.score_changes import Change


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

    from autograder.grading.early_start import start_workers

    pool = start_workers(which, box, workers, scheduler)  # before the imports below, which take as long

    from autograder.examiner.assignment import limits_of
    from autograder.grading.dry_run import preview_class
    from autograder.grading.grade_class import grade_class

    class_directory = open_class(directory)
    total, limits = len(class_directory.students(which)), limits_of(which, timeout)
    if dry_run:
        changes = preview_class(class_directory, which, force=force, sandbox=box, limits=limits, workers=pool)
        _show_changes(changes, total, json_file)
    else:
        results = grade_class(class_directory, which, force=force, sandbox=box, limits=limits, workers=pool)
        grade_and_show(results, total, json_file)


def _show_changes(changes: Iterable["Change"], total: int, json_file: Path | None) -> None:
    from autograder.course.safe_text import json_text
    from autograder.terminal.changes_table import changes_table, summary
    from autograder.terminal.progress import moving_line

    shown: list[Change] = []
    kinds: Counter[str] = Counter()
    try:
        with moving_line(total, out) as moving:
            for change in changes:
                shown.append(change)
                kinds["moved" if change.moved else "failed" if change.problem else "graded"] += 1
                moving(kinds)
    except KeyboardInterrupt:
        out.print("\nStopped. Nothing was written.")
        raise typer.Exit(130) from None
    if worth_a_row := [change for change in shown if change.moved or change.moves or change.problem]:
        out.print(changes_table(worth_a_row))
    out.print(summary(shown), soft_wrap=True)
    if json_file:
        json_file.write_text("".join(f"{json_text(change.to_json())}\n" for change in shown), "utf-8")
