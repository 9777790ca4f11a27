"""The demo on a terminal: make a class, grade it, write feedback and the report, and show examples."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from autograder.course.units import find_unit
from autograder.demo.demo_class import LIMITS, grade_by_hand, make_class
from autograder.errors import CourseError
from autograder.gradebook.results import Result
from autograder.grading.grade_class import grade_class
from autograder.reports.class_report.write import write_report
from autograder.reports.feedback.write import write_feedback
from autograder.sandbox.command import require_sandbox
from autograder.terminal.progress import show_results
from autograder.terminal.results_table import table

STORIES_UNIT = find_unit("01")
EXAMPLES = ("no-scale", "syntax-error", "hang", "late")


def tour(root: Path, out: Console) -> None:
    """Make a class in a folder, grade it, and print where to look."""
    out.print("Making a class: three units released, forty submissions collected …", style="bold")
    directory, units = make_class(root)
    sandbox = _sandbox(out)
    results: dict[str, dict[str, Result]] = {}
    for unit in units:
        count = len(directory.students(unit))
        out.print(f"\n{count} students have handed in unit {unit.id}, {unit.title}. Grading …", style="bold")
        graded = _kept(grade_class(directory, unit, sandbox=sandbox, limits=LIMITS), results.setdefault(unit.id, {}))
        show_results(graded, count, root / f"results-{unit.id}.jsonl", out, with_table=False)
    stories = results[STORIES_UNIT.id]
    out.print(f"\nWhat it found in some of unit {STORIES_UNIT.id}:", style="bold")
    out.print(table([stories[student] for student in EXAMPLES]))
    out.print(
        "The student called cheat tried to turn every test into `pass`, and has "
        f"{stories['cheat'].final_score:g} points: tests run where students' code cannot reach.",
        markup=False,
    )
    graded_by_hand = sum(grade_by_hand(directory, unit) for unit in units)
    out.print(f"An instructor has read {graded_by_hand} written answers; the others wait in the formgrader.")
    pages = {(page.parts[-3], page.parts[-2]): page for unit in units for page in write_feedback(directory, unit)}
    report = write_report(directory)
    out.print("\nOpen these in a browser:", style="bold")
    _places(
        out,
        {
            "the report on the class": report,
            "feedback for a student, with the diagnosis of a mistake": pages["no-scale", STORIES_UNIT.full_name],
            "feedback with an instructor's comment": pages["student-01", STORIES_UNIT.full_name],
        },
    )
    out.print("\nAnd these are yours to look into:", style="bold")
    _places(
        out,
        {
            "the class directory, an nbgrader course": directory.root,
            "what students get": directory.root / "release" / f"{STORIES_UNIT.full_name}.zip",
            "the results, one JSON line each": root / f"results-{STORIES_UNIT.id}.jsonl",
        },
    )


def _sandbox(out: Console) -> str:
    try:
        require_sandbox()
    except CourseError as problem:
        out.print(f"[yellow]{escape(str(problem))}. The demonstration goes on without: its submissions are our own.[/]")
        return "none"
    return "bwrap"


def _kept(results: Iterable[Result], kept: dict[str, Result]) -> Iterator[Result]:
    for result in results:
        kept[result.student] = result
        yield result


def _places(out: Console, places: dict[str, Path]) -> None:
    for what, path in places.items():
        out.print(f"  {what}:\n    {path}", soft_wrap=True, markup=False)
