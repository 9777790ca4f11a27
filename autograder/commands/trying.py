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
    """Make a class of forty submissions to three units, grade it, and show the report and a page of feedback."""
    from autograder.course import find_unit
    from autograder.demo_class import LIMITS, grade_by_hand, make_class
    from autograder.examiner.sandbox import require_sandbox
    from autograder.feedback import write_feedback
    from autograder.grading import grade_class
    from autograder.report import write_report

    root = folder or Path(tempfile.mkdtemp(prefix="transformer-course-"))
    root.mkdir(parents=True, exist_ok=True)
    directory, units = make_class(root)
    try:
        require_sandbox()
        sandbox = "bwrap"
    except CourseError as problem:
        out.print(f"[yellow]{problem}. The demonstration goes on without: its submissions are our own.[/]")
        sandbox = "none"
    for unit in units:
        count = len(directory.students(unit))
        out.print(f"\n{count} students have handed in unit {unit.id}, {unit.title}. Grading …", style="bold")
        with contextlib.suppress(typer.Exit):  # the hang and the crash need attention
            results = grade_class(directory, unit, sandbox=sandbox, limits=LIMITS)
            grade_and_show(results, count, root / f"results-{unit.id}.jsonl")
    read = sum(grade_by_hand(directory, unit) for unit in units)
    pages = [page for unit in units for page in write_feedback(directory, unit)]
    told = find_unit("01")  # whose submissions have stories
    report = write_report(directory)
    no_scale, commented = (
        next(page for page in pages if {student, told.full_name} <= set(page.parts))
        for student in ("no-scale", "student-01")
    )
    out.print(f"\nAn instructor has read {read} written answers; the others wait in the formgrader.")
    out.print("\nWhere to look:", style="bold")
    for what, path in (
        ("[bold]report on the class[/], open it in a browser", report),
        ("[bold]feedback for a student[/], with the diagnosis of a mistake", no_scale),
        ("feedback with an instructor's comment", commented),
        ("bundle for students", directory.root / "release" / f"{told.full_name}.zip"),
        ("class directory (an nbgrader course)", directory.root),
        ("results, one JSON line each", root / f"results-{told.id}.jsonl"),
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
