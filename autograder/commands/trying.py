"""Commands to try the course and look after its installation."""

import contextlib
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from autograder.commands.app import app, grade_and_show, out
from autograder.errors import CourseError


@app.command(rich_help_panel="Trying it")
def demo(
    folder: Annotated[
        Path | None, typer.Option(help="Where to make the class; a temporary folder if not given.")
    ] = None,
) -> None:
    """Make a small class on unit 01, grade it, and show where to look."""
    from autograder.demo import LIMITS, make_class
    from autograder.examiner.sandbox import require_sandbox
    from autograder.feedback import write_feedback
    from autograder.grading import grade_class

    root = folder or Path(tempfile.mkdtemp(prefix="transformer-course-"))
    root.mkdir(parents=True, exist_ok=True)
    directory, unit = make_class(root)
    out.print(f"A class of {len(directory.students(unit))} has handed in unit {unit.id}, {unit.title}. Grading …")
    try:
        require_sandbox()
        sandbox = "bwrap"
    except CourseError as problem:
        out.print(f"[yellow]{problem}. The demonstration goes on without: its submissions are our own.[/]")
        sandbox = "none"
    with contextlib.suppress(typer.Exit):  # the hang and the crash need attention
        results = grade_class(directory, unit, sandbox=sandbox, limits=LIMITS)
        grade_and_show(results, len(directory.students(unit)), root / "results.jsonl")
    pages = write_feedback(directory, unit)
    no_scale = next(page for page in pages if "no-scale" in str(page))
    out.print("\nWhere to look:", style="bold")
    for what, path in (
        ("class directory (an nbgrader course)", directory.root),
        ("bundle for students", directory.root / "release" / f"{unit.full_name}.zip"),
        ("feedback for a student", no_scale),
        ("results, one JSON line each", root / "results.jsonl"),
    ):
        out.print(f"  {what}: {path}", soft_wrap=True)


@app.command(rich_help_panel="Trying it")
def doctor(
    directory: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="A class directory to look at too.")] = None,
) -> None:
    """Look whether everything is here that the course needs."""
    from autograder.class_directory import open_class
    from autograder.doctor import examine_class, examine_installation

    signs = [*examine_installation(), *(examine_class(open_class(directory)) if directory else [])]
    for sign in signs:
        mark = "[green]✓[/]" if sign.well else "[red]✗[/]"
        out.print(f"{mark} {sign.name}: {sign.found}{'' if sign.well else f' → {sign.advice}'}", soft_wrap=True)
    if not all(sign.well for sign in signs):
        raise typer.Exit(1)
