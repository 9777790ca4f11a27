"""The audit of the exams as a table on a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from autograder.authoring.audit.audit import ExerciseAudit, Tally
from autograder.authoring.audit.mutation_run import ENOUGH, MutationRun

TITLES = ("mis-\ntakes", "diag-\nnosed", "right", "seeds", "short-\ncuts")
NONE = "–"
MUTANTS = "mu-\ntants"


def audit_table(
    audits: Sequence[ExerciseAudit], banks: Mapping[str, Mapping[str, Tally]], runs: Mapping[str, MutationRun]
) -> Table:
    """One row for each exercise; a column for mutants if there was a mutation run."""
    view = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    view.add_column("exercise", no_wrap=True)
    bank_titles = list(dict.fromkeys(title for bank in banks.values() for title in bank))
    for title in (*TITLES, *bank_titles, *([MUTANTS] if runs else ())):
        view.add_column(title, justify="right", no_wrap=True, vertical="bottom")
    for audit in audits:
        bank = banks[audit.exercise]
        own = (audit.caught, audit.diagnosed, audit.accepted, audit.seeds, audit.shortcuts)
        cells = [_cell(tally) for tally in (*own, *bank.values())]
        if runs:
            cells.append(_mutants(runs[audit.exercise]) if audit.exercise in runs else NONE)
        sound = audit.complete and all(tally.full for tally in bank.values())
        view.add_row(f"{'[green]✓[/]' if sound else '[red]✗[/]'} {escape(audit.exercise)}", *cells)
    return view


def unit_table(units: Mapping[str, Mapping[str, Tally]]) -> Table:
    """One row for each unit, one column for each audit of whole notebooks."""
    view = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    view.add_column("notebook", no_wrap=True)
    for title in dict.fromkeys(title for tallies in units.values() for title in tallies):
        view.add_column(title, justify="right", no_wrap=True, vertical="bottom")
    for unit, tallies in units.items():
        mark = "[green]✓[/]" if all(tally.full for tally in tallies.values()) else "[red]✗[/]"
        view.add_row(f"{mark} {escape(unit)}", *map(_cell, tallies.values()))
    return view


def tally_problem_lines(tallies: Mapping[str, Mapping[str, Tally]]) -> Iterator[str]:
    """By exercise or unit, and by the title of the column."""
    for name, columns in tallies.items():
        for tally in columns.values():
            yield from (f"[red]✗[/] [cyan]{escape(name)}[/]: {escape(problem)}" for problem in tally.problems)


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
    if not tally.total:
        return NONE
    return str(tally) if tally.full else f"[red]{tally}[/]"


def _mutants(run: MutationRun) -> str:
    text = f"{run.caught}/{run.expected}"
    return text if run.enough else f"[red]{text}[/]"
