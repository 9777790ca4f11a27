"""Commands for authors and maintainers of the course."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from autograder.cli.app import app, out, say
from autograder.errors import CourseError
from autograder.terminal.console import Console

if TYPE_CHECKING:
    pass


WIDE = 110  # columns that the table of the audit needs


@app.command(rich_help_panel="For authors of the course")
def build(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit code 1 if a file is stale.")] = False,
    solutions: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for the instructor notebooks, built instead.")
    ] = None,
) -> None:
    """Build the student notebooks, the cards of the checks and docs/syllabus.md."""
    from autograder.course.units import require_repository

    if not solutions:
        require_repository("course build")
    else:
        solutions.mkdir(parents=True, exist_ok=True)

    from autograder.authoring.build import build, build_solutions, stale_files

    if check:
        if stale := stale_files():
            raise CourseError(f"stale: {', '.join(stale)}; run `course build` and commit the result")
        out.print("Every notebook, every card and the syllabus are fresh.")
        return
    for path in build_solutions(solutions) if solutions else build():
        say(f"wrote {path}")


@app.command(rich_help_panel="For authors of the course")
def audit(
    exercises: Annotated[list[str] | None, typer.Argument(help="Exercises to audit. Defaults to all.")] = None,
    seeds: Annotated[int, typer.Option(min=1, metavar="N", help="Number of seeds for each reference.")] = 200,
    mutants: Annotated[
        bool, typer.Option("--mutants", help="Mutation testing: also grade small changes to each reference.")
    ] = False,
) -> None:
    """Test the exams: mistakes must lose points, right answers none. Exit code 1: an exam fails."""
    from autograder.authoring.audit.audit import audit_exam
    from autograder.authoring.audit.banks import audit_banks, audit_notebooks
    from autograder.authoring.audit.mutation_run import run_mutants
    from autograder.authoring.audit.table import audit_table, problem_lines, tally_problem_lines, unit_table
    from autograder.course.units import written_units
    from autograder.exam_types import CodeExam
    from autograder.exams import EXAMS

    if unknown := sorted(set(exercises or ()) - EXAMS.keys()):
        raise CourseError(f"there is no exercise called {', '.join(unknown)}")
    exams = [exam for name, exam in EXAMS.items() if not exercises or name in exercises]
    audits = [audit_exam(exam, seeds) for exam in exams]
    banks = {exam.exercise: audit_banks(exam) for exam in exams}
    code_exams = [exam for exam in exams if mutants and isinstance(exam, CodeExam)]
    runs = {exam.exercise: run_mutants(exam) for exam in code_exams}
    units = {} if exercises else {f"unit {unit.id}": audit_notebooks(unit) for unit in written_units()}
    wide = Console(file=out.file, highlight=False, width=max(out.width, WIDE))
    wide.print(audit_table(audits, banks, runs))
    if units:
        wide.print(unit_table(units))
    tallies = banks | units
    for line in (*problem_lines(audits, runs), *tally_problem_lines(tallies)):
        out.print(line, soft_wrap=True)
    sound = all(tally.full for columns in tallies.values() for tally in columns.values())
    if not (sound and all(audit.complete for audit in audits) and all(run.enough for run in runs.values())):
        raise typer.Exit(1)


@app.command(rich_help_panel="For authors of the course")
def syllabus(
    write: Annotated[bool, typer.Option("--write", help="Write docs/syllabus.md, as `course build` does.")] = False,
) -> None:
    """Show which exercises cover which question. Exit code 1: a written unit lacks a question assigned to it."""
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
