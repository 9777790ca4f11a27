"""How results are shown on a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from autograder.duration import duration
from autograder.gradebook.results import ExerciseResult, ExerciseStatus, Result, Status
from course_lib.cards.exercise_index import standing, summary, unit_of
from course_lib.cards.session_outcomes import Outcome

if TYPE_CHECKING:  # it needs what starts kernels
    from autograder.grading.check_notebook import Check

COLORS = {Outcome.PASSES: "green", Outcome.ANSWERED: "cyan", Outcome.FAILS: "red"}
MARKS = {Status.GRADED: "[green]✓[/]", Status.ATTENTION: "[yellow]![/]", Status.FAILED: "[red]✗[/]"}


def line(result: Result) -> str:
    """One submission: its score, or what is wrong with it."""
    mark, student = MARKS[result.status], escape(result.student)
    problems = "".join(f"\n    {escape(problem)}" for problem in result.problems)
    if result.score is None:
        return f"{mark} {student}: not graded{problems}"
    late = f", {_lateness(result)}" if result.late_seconds else ""
    return f"{mark} {student}: {result.final_score:g} of {result.max_score:g} in {result.seconds:.1f} s{late}{problems}"


def table(results: Sequence[Result]) -> Table:
    """All submissions with their scores and, exercise by exercise, what went wrong."""
    view = Table(show_lines=True)
    view.add_column("student", no_wrap=True)
    view.add_column("score", justify="right", no_wrap=True)
    view.add_column("what went wrong", ratio=1)
    for result in results:
        wrong = [f"[yellow]{escape(problem)}[/]" for problem in result.problems]
        if result.late_seconds:
            wrong.append(f"[yellow]handed in {_lateness(result)}[/]")
        wrong += _wrong(result.exercises)
        score = "–" if result.score is None else f"{result.final_score:g} / {result.max_score:g}"
        view.add_row(escape(result.student), score, "\n".join(wrong) or "[green]nothing[/]")
    return view


def slowest(times: Sequence[tuple[float, str]]) -> str:
    """The submissions that took longest."""
    return "slowest: " + ", ".join(f"{escape(student)} {seconds:.1f} s" for seconds, student in times)


def checks_table(checks: Sequence["Check"]) -> Table:
    """What the visible checks of one notebook say, with the points at stake: the progress panel on a terminal."""
    said = {check.exercise: check for check in checks}
    unit = unit_of(list(said))
    lines = standing(unit, {name: check.outcome for name, check in said.items()}) if unit else []
    view = Table(show_lines=True, caption=summary(lines))
    view.add_column("exercise", no_wrap=True)
    view.add_column("points", justify="right", no_wrap=True)
    view.add_column("visible check", ratio=1)
    for line in lines:
        check = said.get(line.exercise)
        says = escape(check.says if check and check.says else line.says)
        color = COLORS.get(line.outcome) if line.outcome else None
        view.add_row(line.exercise, f"{line.points:g}", f"[{color}]{says}[/]" if color else says)
    return view


def _wrong(exercises: Sequence[ExerciseResult]) -> list[str]:
    lines = []
    for exercise in exercises:
        if exercise.status == ExerciseStatus.NEEDS_A_PERSON:
            lines.append(f"[cyan]{exercise.id}[/]: waits for a person's grade")
        elif exercise.score < exercise.points and exercise.status != ExerciseStatus.NOT_TRIED:
            reason = _in_a_line(exercise.diagnosis or "")
            lines.append(f"[cyan]{exercise.id}[/] −{exercise.points - exercise.score:g}: {escape(reason)}")
        if exercise.followed:
            lines.append(f"[cyan]{exercise.id}[/]: {escape(exercise.followed)}")
    if untried := [exercise.id for exercise in exercises if exercise.status == ExerciseStatus.NOT_TRIED]:
        lines.append(f"not tried: {', '.join(untried)}" if len(untried) < len(exercises) else "nothing was tried")
    return lines


def _in_a_line(diagnosis: str) -> str:
    """The first two lines of a diagnosis, as two sentences where the second begins as one."""
    first, *more = diagnosis.splitlines()[:2] or [""]
    ended = not more or first.endswith((".", "?", "!", ":")) or not more[0][:1].isupper()
    return " ".join([first if ended else f"{first}.", *more])


def _lateness(result: Result) -> str:
    cost = f", which takes {result.late_penalty:g} points" if result.late_penalty else ""
    return f"{duration(result.late_seconds)} late{cost}"
