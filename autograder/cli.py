"""The `course` command. Commands import what they need when they run, so that help and typing errors answer at once."""

import contextlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.errors import CourseError

app = typer.Typer(
    help="Build the course, and run a class on it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
out = Console(highlight=False)
settings = {"debug": False}

ClassPath = Annotated[Path, typer.Argument(metavar="DIR", help="The class directory.")]
UnitName = Annotated[str, typer.Argument(metavar="UNIT", help="A unit: 01, or its full name.")]

Sandbox = Annotated[
    str, typer.Option(help="Where submissions run: bwrap (bubblewrap), or none, in which they can read your files.")
]
Seconds = Annotated[int, typer.Option(metavar="S", min=1, help="Seconds that each cell may run.")]


def _sandbox(name: str) -> str:
    from autograder.examiner.sandbox import SANDBOXES

    if name not in SANDBOXES:
        raise CourseError(f"the sandbox can be {' or '.join(SANDBOXES)}, not {name!r}")
    if name == "none":
        out.print("[yellow]No sandbox: submissions can read and change your files, and these grades may be forged.[/]")
    return name


@app.callback()
def options(debug: Annotated[bool, typer.Option(help="Show tracebacks of errors.")] = False) -> None:
    settings["debug"] = debug


@app.command()
def build(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail when a file is stale.")] = False,
    solutions: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the instructor notebooks here.")] = None,
) -> None:
    """Make the student notebooks, the cards of the checks and docs/syllabus.md."""
    from autograder import build

    if check:
        if stale := build.stale_files():
            raise CourseError(f"stale: {', '.join(stale)}; run `course build` and commit the result")
        out.print("Every notebook, every card and the syllabus are fresh.")
        return
    for path in build.build_solutions(solutions) if solutions else build.build():
        out.print(f"wrote {path}", soft_wrap=True)


@app.command()
def lab(
    unit: Annotated[
        str | None, typer.Argument(metavar="[UNIT]", help="The unit to open: 01, or its full name.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where your copies of the notebooks live.")] = Path("my_notebooks"),
) -> None:
    """Open JupyterLab on your own copy of the notebooks; a copy you have worked in is never overwritten."""
    from autograder.course import find_unit, written_units

    folder.mkdir(exist_ok=True)
    chosen = [find_unit(unit)] if unit else list(written_units())
    for one in chosen:
        if not (folder / one.notebook.name).exists():
            shutil.copy(one.notebook, folder)
    target = folder / chosen[0].notebook.name if unit else folder
    raise typer.Exit(subprocess.call([sys.executable, "-m", "jupyter", "lab", str(target)]))


@app.command()
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


@app.command()
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


@app.command()
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


@app.command()
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
    timeout: Seconds = 60,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write one JSON line for each submission.")
    ] = None,
) -> None:
    """Grade every submission of a unit. Exit code 1 says that one of them needs your attention."""
    from autograder.assignment import Limits
    from autograder.class_directory import open_class
    from autograder.course import find_unit
    from autograder.grading import grade_class
    from autograder.runner import dask_cluster, local_workers

    there, which = open_class(directory), find_unit(unit)
    results = grade_class(
        there,
        which,
        force=force,
        sandbox=_sandbox(sandbox),
        limits=Limits(cell=timeout, call=min(timeout, Limits.call)),
        workers=dask_cluster(scheduler) if scheduler else local_workers(workers),
    )
    _grade_and_show(results, len(there.students(which)), json_file)


@app.command()
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


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="A notebook of this course.")],
    full: Annotated[bool, typer.Option("--full", help="Examine it as when it is graded.")] = False,
    sandbox: Sandbox = "bwrap",
    timeout: Seconds = 60,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the result as one JSON line.")
    ] = None,
) -> None:
    """Check your own notebook: which answers pass? With --full, by the hidden exams, for authors and self-learners."""
    from autograder.assignment import Limits
    from autograder.check_notebook import check_notebook, full_check
    from autograder.summary import checks_table

    limits = Limits(cell=timeout, call=min(timeout, Limits.call))
    if full:
        _grade_and_show([full_check(notebook, _sandbox(sandbox), limits)], 1, json_file)
        return
    checks = check_notebook(notebook, limits)
    out.print(checks_table(checks))
    if not all(one.passed for one in checks):
        raise typer.Exit(1)


@app.command()
def feedback(directory: ClassPath, unit: UnitName) -> None:
    """Write a page of feedback for each graded submission."""
    from autograder.class_directory import open_class
    from autograder.course import find_unit
    from autograder.feedback import write_feedback

    pages = write_feedback(open_class(directory), find_unit(unit))
    out.print(f"Wrote {len(pages)} pages, for example {pages[0]}", soft_wrap=True)


@app.command()
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


@app.command()
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


@app.command()
def audit(
    exercises: Annotated[list[str] | None, typer.Argument(help="Only these; all if none is named.")] = None,
    seeds: Annotated[int, typer.Option(min=1, metavar="N", help="How many seeds to try for each reference.")] = 200,
    mutants: Annotated[bool, typer.Option("--mutants", help="Also change each reference in small ways.")] = False,
) -> None:
    """Grade the exams themselves: do mistakes lose points, and right answers none? Exit code 1 says not always."""
    from autograder.audit import audit_exam
    from autograder.audit_table import audit_table, problem_lines
    from autograder.exams import EXAMS
    from autograder.kinds import CodeExam
    from autograder.mutation import run_mutants

    if unknown := sorted(set(exercises or ()) - EXAMS.keys()):
        raise CourseError(f"there is no exercise called {', '.join(unknown)}")
    exams = [exam for name, exam in EXAMS.items() if not exercises or name in exercises]
    audits = [audit_exam(exam, seeds) for exam in exams]
    code_exams = [exam for exam in exams if mutants and isinstance(exam, CodeExam)]
    runs = {exam.exercise: run_mutants(exam) for exam in code_exams}
    out.print(audit_table(audits, runs))
    for line in problem_lines(audits, runs):
        out.print(line, soft_wrap=True)
    if not all(one.complete for one in audits) or not all(run.enough for run in runs.values()):
        raise typer.Exit(1)


@app.command()
def syllabus(
    write: Annotated[bool, typer.Option("--write", help="Write docs/syllabus.md, as `course build` does.")] = False,
) -> None:
    """Show which exercises cover which question. Exit code 1 says that a written unit lacks one of its own."""
    from autograder.syllabus import coverage
    from autograder.syllabus_table import PAGE, coverage_table, summary, syllabus_page

    rows = coverage()
    out.print(coverage_table(rows))
    out.print(summary(rows))
    if write:
        PAGE.write_text(syllabus_page(), "utf-8")
        out.print(f"wrote {PAGE}", soft_wrap=True)
    if lacking := [f"{row.id} in unit {unit.id}" for row in rows for unit in row.lacking]:
        raise CourseError(f"no exercise covers {', '.join(lacking)}: name it in `covers` or `explains`")


@app.command()
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
        _grade_and_show(results, len(directory.students(unit)), root / "results.jsonl")
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


def _grade_and_show(results: Iterable, total: int, json_file: Path | None) -> None:
    """Show each result as it comes, then a summary; exit with 1 when one needs attention, with 130 after Ctrl-C."""
    from autograder.progress import show_results

    try:
        attention = show_results(results, total, json_file, out)
    except KeyboardInterrupt:
        out.print("\nStopped. What is graded is kept: run the same command again to go on with the rest.")
        raise typer.Exit(130) from None
    if attention:
        out.print("[yellow]Some submissions need your attention: see above.[/]")
        raise typer.Exit(1)


def main() -> None:
    try:
        app()
    except CourseError as error:
        if settings["debug"]:
            raise
        Console(stderr=True, highlight=False).print(f"[red]course:[/] {error}", soft_wrap=True)
        sys.exit(1)
