"""A submitted notebook is untrusted input: validate it, then rebuild it on the released notebook."""

import copy
import itertools
import json
from collections import defaultdict
from collections.abc import Sequence

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbformat.v4.rwbase import rejoin_lines

from autograder.course.cells import answer_cells, is_answer, named_cells
from autograder.course.found_cells import FoundCells
from autograder.course.given_cells import anchors_of_given, in_order, lost_given
from autograder.course.mended_cells import Unreadable, mend
from autograder.course.repairs import repairs_of
from autograder.course.safe_text import printable, storable
from autograder.course.without_outputs import TooMuch, without_outputs
from autograder.outside_files import megabytes

LARGEST_FILE = 250_000_000  # bytes, most of which must be outputs
LARGEST = 20_000_000  # bytes of the rest: many times the largest honest notebook, small enough to parse in memory
MOST_BRACKETS = 500_000  # opening ones: each becomes an object in memory, many times as large
LOST = "code of the notebook that yours needs had been deleted and has been put back"
REPAIRS = "repairs"  # the id of the cell that lists them, and the key of lists in metadata


class Rejected(Exception):
    """The file cannot be graded at all; the message is a sentence for the instructor."""


def read_notebook(data: bytes) -> NotebookNode:
    """The notebook in a file, or Rejected with what is wrong with it; what was mended is in its metadata."""
    if not data.strip():
        raise Rejected("the file is empty")
    content = _parsed(without_huge_outputs(data))
    if not isinstance(content, dict) or not (_is_number(content.get("nbformat")) or content.get("cells")):
        raise Rejected("the file is JSON, but not a Jupyter notebook")
    if content.get("nbformat") != 4 and "cells" not in content:
        raise Rejected(
            f"the notebook is saved in format {content['nbformat']}, not 4: open it in JupyterLab and save it again"
        )
    try:
        repairs = mend(content)
    except Unreadable as error:
        raise Rejected(f"the notebook is damaged: {error}") from None
    notebook = rejoin_lines(nbformat.from_dict(content))
    notebook.metadata.pop(REPAIRS, None)
    return _noting(notebook, repairs)


def without_huge_outputs(data: bytes) -> bytes:
    """The file as it is, or without its outputs if they are what makes it too large to parse; Rejected if it is larger.

    The same comes back if it is given what came back.
    """
    if len(data) <= LARGEST and data.count(b"{") + data.count(b"[") <= MOST_BRACKETS:
        return data
    if len(data) > LARGEST_FILE:
        raise Rejected(f"the file has {megabytes(len(data))}; the most that is read is {megabytes(LARGEST_FILE)}")
    try:
        lean = without_outputs(data, LARGEST)
    except TooMuch:
        raise Rejected(
            f"the file has {megabytes(len(data))}; without its outputs, the most that is read is {megabytes(LARGEST)}"
        ) from None
    if lean.count(b"{") + lean.count(b"[") > MOST_BRACKETS:
        raise Rejected(f"the file has more than {MOST_BRACKETS:,} brackets outside of its outputs: is it a notebook?")
    return lean


def _parsed(data: bytes) -> object:
    try:
        return storable(json.loads(data.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise Rejected(f"the file is not UTF-8 text (byte {error.start} cannot be read)") from None
    except RecursionError:
        raise Rejected("the file is nested too deeply to be a notebook") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Rejected(f"the file is not a complete notebook: its JSON breaks off or is damaged at {where}") from None
    except ValueError:
        raise Rejected("the file is nested too deeply to be a notebook, or has a number too long to read") from None


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _noting(notebook: NotebookNode, repairs: Sequence[str]) -> NotebookNode:
    """For `rebuild`, which lists them; no key of a student's has that name."""
    if repairs:
        notebook.metadata[REPAIRS] = list(repairs)
    return notebook


def rebuild(submitted: NotebookNode, released: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """The released notebook with the student's answers and free cells, and a sentence for each repair.

    Graded cells come from the release, so what a student did to them does not matter. A free cell stays behind the
    named cell that it followed, or returns to where the release has it.
    """
    found = FoundCells(submitted, released)
    if not found.of_this_unit:
        raise Rejected(_another_notebook(submitted))
    names_at: dict[int, list[str]] = defaultdict(list)
    for name, places in found.at.items():
        for place in places:
            names_at[place].append(name)
    kept: dict[str | None, list[NotebookNode]] = defaultdict(list)
    lost, belongs = lost_given(released, submitted), anchors_of_given(released, submitted)
    for own, cell in lost:
        kept[own].append(NotebookNode(cell))
    anchor: str | None = None
    for place, cell in enumerate(submitted.cells):
        own = belongs.get(cell.source.strip(), anchor)
        if place in names_at:
            anchor = names_at[place][-1]
        else:
            kept[own].append(_without_nbgrader(cell))
            anchor = anchor if own is None or found.at[own] else own  # its own cell will be put back in front of it
    free = {own: in_order(cells, list(belongs)) for own, cells in kept.items()}
    cells = list(free.get(None, ()))
    for name, cell in named_cells(released):
        before, after = _other_copies(name, submitted, found) if is_answer(cell) else ([], [])
        cells += [*before, _restored(name, cell, found), *after, *free.get(name, ())]
    notebook = copy.copy(released)
    notebook.cells = _unique_ids(cells)
    while_reading = submitted.metadata.get(REPAIRS, [])
    return notebook, [*while_reading, *repairs_of(found, submitted, released), *(LOST for _ in lost[:1])]


def add_repairs(notebook: NotebookNode, repairs: Sequence[str]) -> None:
    """Put a cell at the top of the notebook that lists the repairs: for the student as Markdown, for us as metadata."""
    if repairs:
        lines = "\n".join(f"- {repair}" for repair in repairs)
        text = f"**Before grading, this notebook was repaired:**\n\n{lines}"
        notebook.cells.insert(0, new_markdown_cell(text, id=REPAIRS, metadata={REPAIRS: list(repairs)}))


def read_repairs(notebook: NotebookNode) -> list[str]:
    """What `add_repairs` listed in a notebook that was rebuilt; no cell of a student's has that id there."""
    return [repair for cell in notebook.cells if cell.get("id") == REPAIRS for repair in cell.metadata.get(REPAIRS, ())]


def _restored(name: str, released: NotebookNode, found: FoundCells) -> NotebookNode:
    """The cell as it was released, with the student's answer if it is for one."""
    cell = NotebookNode(released)
    source = found.source(name) if is_answer(released) else None
    return cell if source is None else NotebookNode(cell | {"source": source})


def _other_copies(
    name: str, submitted: NotebookNode, found: FoundCells
) -> tuple[list[NotebookNode], list[NotebookNode]]:
    """Other code in cells of the answer, which may need it: to keep as free cells before and after it."""
    sides: tuple[list[NotebookNode], list[NotebookNode]] = ([], [])
    for place in found.at[name]:
        cell = submitted.cells[place]
        kept = place not in found.best.values() and cell.cell_type == "code" and not found.is_blank(place, name)
        if kept and cell.source.strip() != (found.source(name) or "").strip():
            sides[place > found.best[name]].append(_without_nbgrader(cell))
    return sides


def _without_nbgrader(cell: NotebookNode) -> NotebookNode:
    cell = NotebookNode(cell)
    cell.metadata = NotebookNode({name: value for name, value in cell.metadata.items() if name != "nbgrader"})
    return cell


def _unique_ids(cells: list[NotebookNode]) -> list[NotebookNode]:
    """Give every cell an id of its own, other than that of the cell that lists repairs."""
    seen = {None, REPAIRS}
    fresh = (name for name in map("cell-{}".format, itertools.count()) if name not in seen)
    for cell in cells:
        if cell.get("id") in seen:
            cell.id = next(fresh)
        seen.add(cell.id)
    return cells


def _another_notebook(submitted: NotebookNode) -> str:
    exercises = [printable(name)[:60] for name in answer_cells(submitted)]
    has = f"it has the exercises {', '.join(exercises[:3])}" if exercises else "it has no exercise at all"
    return f"this is not the notebook of this unit: {has}"
