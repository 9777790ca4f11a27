"""Commands for authors and maintainers of the course."""

from pathlib import Path
from typing import Annotated

import typer

from autograder.cli.app import app, out, say
from autograder.errors import CourseError


@app.command(rich_help_panel="For authors of the course")
def build(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail when a file is stale.")] = False,
    solutions: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the instructor notebooks here.")] = None,
) -> None:
    """Make the student notebooks, the cards of the checks and docs/syllabus.md."""
    from autograder.course.units import require_repository

    if not solutions:
        require_repository("course build")
    else:
        solutions.mkdir(parents=True, exist_ok=True)

    from autograder.authoring import build as built_files

    if check:
        if stale := built_files.stale_files():
            raise CourseError(f"stale: {', '.join(stale)}; run `course build` and commit the result")
        out.print("Every notebook, every card and the syllabus are fresh.")
        return
    for path in built_files.build_solutions(solutions) if solutions else built_files.build():
        say(f"wrote {path}")


@app.command(rich_help_panel="For authors of the course")
def audit(
    exercises: Annotated[list[str] | None, typer.Argument(help="Only these; all if none is named.")] = None,
    seeds: Annotated[int, typer.Option(min=1, metavar="N", help="How many seeds to try for each reference.")] = 200,
    mutants: Annotated[bool, typer.Option("--mutants", help="Also change each reference in small ways.")] = False,
) -> None:
    """Grade the exams themselves: do mistakes lose points, and right answers none? Exit code 1 says not always."""
    from autograder.authoring.audit.audit import audit_exam
    from autograder.authoring.audit.mutation_run import run_mutants
    from autograder.authoring.audit.table import audit_table, problem_lines
    from autograder.exam_types import CodeExam
    from autograder.exams import EXAMS

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


@app.command(rich_help_panel="For authors of the course")
def syllabus(
    write: Annotated[bool, typer.Option("--write", help="Write docs/syllabus.md, as `course build` does.")] = False,
) -> None:
    """Show which exercises cover which question. Exit code 1 says that a written unit lacks one of its own."""
    from autograder.course.units import require_repository

    if write:
        require_repository("course syllabus --write")

    from autograder.authoring.syllabus import coverage
    from autograder.authoring.syllabus_page import PAGE, coverage_table, summary, syllabus_page

    rows = coverage()
    out.print(coverage_table(rows))
    out.print(summary(rows))
    if write:
        PAGE.write_text(syllabus_page(), "utf-8")
        say(f"wrote {PAGE}")
    if lacking := [f"{row.id} in unit {unit.id}" for row in rows for unit in row.lacking]:
        raise CourseError(f"no exercise covers {', '.join(lacking)}: name it in `covers` or `explains`")
