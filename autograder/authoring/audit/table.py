"""The audit of the exams as a table on a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from autograder.authoring.audit.audit import ExerciseAudit, Tally
from autograder.authoring.audit.mutation_run import ENOUGH, MutationRun

TITLES = ("miscon-\nceptions\ncaught", "diag-\nnosed", "accepted\npassed", "seeds", "mutants\ncaught")


def audit_table(audits: Sequence[ExerciseAudit], runs: Mapping[str, MutationRun]) -> Table:
    """One row for each exercise; a column for mutants if there was a mutation run."""
    view = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    view.add_column("exercise", no_wrap=True)
    for title in TITLES if runs else TITLES[:-1]:
        view.add_column(title, justify="right", no_wrap=True, vertical="bottom")
    for audit in audits:
        cells = [_cell(tally) for tally in (audit.caught, audit.diagnosed, audit.accepted, audit.seeds)]
        if runs:
            cells.append(_mutants(runs[audit.exercise]) if audit.exercise in runs else "–")
        view.add_row(f"{'[green]✓[/]' if audit.complete else '[red]✗[/]'} {escape(audit.exercise)}", *cells)
    return view


def unit_table(columns: Mapping[str, Mapping[str, Tally]]) -> Table:
    """One row for each unit, one column for each audit of whole notebooks: tallies by title and unit."""
    view = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    view.add_column("unit", no_wrap=True)
    for title in columns:
        view.add_column(title, justify="right", no_wrap=True, vertical="bottom")
    for unit in dict.fromkeys(unit for column in columns.values() for unit in column):
        tallies = [column[unit] for column in columns.values()]
        mark = "[green]✓[/]" if all(tally.full for tally in tallies) else "[red]✗[/]"
        view.add_row(f"{mark} {escape(unit)}", *map(_cell, tallies))
    return view


def unit_problem_lines(columns: Mapping[str, Mapping[str, Tally]]) -> Iterator[str]:
    for column in columns.values():
        for unit, tally in column.items():
            yield from (f"[red]✗[/] [cyan]unit {unit}[/]: {escape(problem)}" for problem in tally.problems)


def problem_lines(audits: Sequence[ExerciseAudit], runs: Mapping[str, MutationRun]) -> Iterator[str]:
    """Every problem of the audits and mutation runs, then how many surviving mutants are declared equivalent."""
    for audit in audits:
        yield from (f"[red]✗[/] [cyan]{audit.exercise}[/]: {escape(problem)}" for problem in audit.problems)
    for run in runs.values():
        yield from (f"[yellow]![/] [cyan]{run.exercise}[/] survives: {escape(text)}" for text in run.survivors)
        yield from (
            f"[red]✗[/] [cyan]{run.exercise}[/]: declared as a survivor, but it is caught: {escape(text)}"
            for text in run.stale
        )
        if run.share < ENOUGH:
            yield f"[red]✗[/] [cyan]{run.exercise}[/]: {run.share:.0%} of its mutants are caught, expected {ENOUGH:.0%}"
    if spared := sum(len(run.equivalent) for run in runs.values()):
        yield f"{spared} more mutants survive, as equivalent or not asked for: see equivalent_mutants.py"


def _cell(tally: Tally) -> str:
    return str(tally) if tally.full else f"[red]{tally}[/]"


def _mutants(run: MutationRun) -> str:
    text = f"{run.caught}/{run.expected}"
    return text if run.enough else f"[red]{text}[/]"
