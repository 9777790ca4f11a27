"""The coverage of the syllabus as a table on a terminal and as the page docs/syllabus.md."""

from collections.abc import Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from autograder.authoring.syllabus import SECTIONS, SOURCES, Coverage, Exercise, coverage, covered_ids
from autograder.course.units import ROOT

PAGE = ROOT / "docs" / "syllabus.md"
TITLES = {
    "A": "Source A: questions",
    "B": "Source B: theory (t) and coding (c)",
    "C": "Source C: a quiz",
    "D": "Source D: problems on attention, heads, positions, architecture and images",
    "E": "Source E: problems on cross-attention, decoder blocks, linearity and masks",
}
OPENING = """\
# Syllabus: which exercise answers which question

Five teaching sources, A to E, ask the questions that this course answers. An id is the letter of a source and the
number of its question. Behind it stand the exercises that cover it: the unit, the name of the exercise and its kind.

This page is made by `course build` from `covers` in the exams and `explains` in `solutions/course.toml`, so change it
there. `course syllabus` shows the same table on a terminal.
"""


def coverage_table(rows: Sequence[Coverage]) -> Table:
    """One row for each id."""
    view = Table(box=SIMPLE_HEAD, pad_edge=False)
    view.add_column("id", no_wrap=True)
    view.add_column("exercises")
    for row in rows:
        lines = [f"{exercise.unit.id} [cyan]{escape(exercise.name)}[/] ({exercise.kind})" for exercise in row.exercises]
        lines += [f"{unit.id} [dim]not yet[/]" for unit in row.waiting]
        lines += [f"{unit.id} [red]missing[/]" for unit in row.lacking]
        view.add_row(row.id, "\n".join(lines))
    return view


def summary(rows: Sequence[Coverage]) -> str:
    """How much of the syllabus is covered, in a sentence."""
    covered = sum(bool(row.exercises) for row in rows)
    return f"{covered} of {len(rows)} ids are covered by an exercise."


def syllabus_page() -> str:
    """The text of docs/syllabus.md."""
    rows = coverage()
    parts = [OPENING, summary(rows) + "\n"]
    for source, ids in SOURCES.items():
        parts.append(_chapter(TITLES[source], {row.id: _entries(row) for row in rows if row.id in ids.split()}))
    if sections := _sections():
        parts.append(_chapter("Sections that explain without asking", sections))
    return "\n".join(parts)


def _chapter(title: str, cells: Mapping[str, Sequence[str]]) -> str:
    lines = [f"| {name} | {' · '.join(entries)} |" for name, entries in cells.items()]
    return "\n".join([f"## {title}", "", "| id | exercises |", "|:--|:--|", *lines, ""])


def _entries(row: Coverage) -> list[str]:
    return [
        *(_link(exercise) for exercise in row.exercises),
        *(f"{unit.id} not yet" for unit in row.waiting),
        *(f"{unit.id} **missing**" for unit in row.lacking),
    ]


def _sections() -> dict[str, list[str]]:
    claims = list(covered_ids())
    links = {section: [_link(exercise) for exercise, ids in claims if section in ids] for section in SECTIONS}
    return {section: entries for section, entries in links.items() if entries}


def _link(exercise: Exercise) -> str:
    return f"[{exercise.unit.id}](../notebooks/{exercise.unit.notebook.name}) `{exercise.name}` ({exercise.kind})"
