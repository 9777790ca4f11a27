"""Cells of a release that students neither fill in nor are graded by: where they belong, and which were lost."""

from collections import Counter
from collections.abc import Sequence

from nbformat import NotebookNode

from autograder.course.cells import grade_id
from autograder.course.definitions import definitions, imports
from autograder.course.dependencies import global_names_read


def anchors_of_given(released: NotebookNode, submitted: NotebookNode) -> dict[str, str | None]:
    """The named cell that a given cell follows in the release, by its source, in order; None before the first of them.

    What the submission has twice is left out: the student has copied it to run it again.
    """
    copies = Counter(cell.source.strip() for cell in submitted.cells)
    return {cell.source.strip(): anchor for cell, anchor in _given(released) if copies[cell.source.strip()] == 1}


def in_order(cells: Sequence[NotebookNode], given: Sequence[str]) -> list[NotebookNode]:
    """The cells with those that are given, by their sources, in this order; the others stay where they are."""
    rank = {source: number for number, source in enumerate(given)}
    ranked = iter(sorted((cell for cell in cells if cell.source.strip() in rank), key=lambda c: rank[c.source.strip()]))
    return [next(ranked) if cell.source.strip() in rank else cell for cell in cells]


def lost_given(released: NotebookNode, submitted: NotebookNode) -> list[tuple[str | None, NotebookNode]]:
    """Given code that is gone although code that is left reads names that nothing else defines, with its anchor."""
    code = [cell.source for cell in submitted.cells if cell.cell_type == "code"]
    there = {source.strip() for source in code}
    gone = [(anchor, cell) for cell, anchor in _given(released) if cell.source.strip() not in there]
    gone = [(anchor, cell) for anchor, cell in gone if cell.cell_type == "code"]
    if not gone:
        return []
    bound, lost, read = _bound(code), set[int](), _read(code)
    names = [_bound([cell.source]) for _, cell in gone]
    while more := {place for place, own in enumerate(names) if own & read and not own & bound} - lost:
        lost |= more
        read |= _read([gone[place][1].source for place in more])
    return [gone[place] for place in sorted(lost)]


def _given(released: NotebookNode) -> list[tuple[NotebookNode, str | None]]:
    """Each given cell with the named cell that it follows."""
    anchor, given = None, []
    for cell in released.cells:
        name = grade_id(cell)
        anchor = name or anchor
        if not name:
            given.append((cell, anchor))
    return given


def _bound(code: Sequence[str]) -> set[str]:
    return {name for source in code for name in (*definitions(source), *imports(source))}


def _read(code: Sequence[str]) -> set[str]:
    return {name for source in code for name in global_names_read(source)}
