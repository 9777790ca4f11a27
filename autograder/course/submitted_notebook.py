"""A submitted notebook is untrusted input: validate it, then rebuild it on the released notebook."""

import copy
import itertools
import json
import warnings
from collections import defaultdict
from collections.abc import Sequence

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbformat.v4.rwbase import rejoin_lines

from autograder.course.cells import answer_cells, grade_id, is_answer, named_cells
from autograder.course.safe_text import printable, storable

LARGEST = 20_000_000  # bytes: many times the largest honest notebook, small enough to parse in memory
REPAIRS = "repairs"  # the id of the cell that lists them, and the key of the list in its metadata


class Rejected(Exception):
    """The file cannot be graded at all; the message is a sentence for the instructor."""


def read_notebook(data: bytes) -> NotebookNode:
    """The notebook in a file, or Rejected with what is wrong with it."""
    if not data.strip():
        raise Rejected("the file is empty")
    if len(data) > LARGEST:
        raise Rejected(f"the file has {len(data) / 1e6:.0f} MB; the most that is read is {LARGEST / 1e6:.0f} MB")
    try:
        content = storable(json.loads(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise Rejected(f"the file is not UTF-8 text (byte {error.start} cannot be read)") from None
    except RecursionError:
        raise Rejected("the file is nested too deeply to be a notebook") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Rejected(f"the file is not a complete notebook: its JSON breaks off or is damaged at {where}") from None
    except ValueError:
        raise Rejected("the file is nested too deeply to be a notebook, or has a number too long to read") from None
    if not isinstance(content, dict) or not isinstance(content.get("nbformat"), int):
        raise Rejected("the file is JSON, but not a Jupyter notebook")
    if content["nbformat"] != 4:
        raise Rejected(
            f"the notebook is saved in format {content['nbformat']}, not 4: open it in JupyterLab and save it again"
        )
    try:
        notebook = nbformat.from_dict(content)
        with warnings.catch_warnings():  # nbformat warns of duplicate cell ids; `rebuild` makes them unique
            warnings.simplefilter("ignore")
            nbformat.validate(notebook)
        rejoin_lines(notebook)
    except Exception as error:
        raise Rejected(f"the notebook is damaged: {printable(str(error).splitlines()[0])[:300]}") from None
    return notebook


def rebuild(submitted: NotebookNode, released: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """The released notebook with the student's answers and free cells, and a sentence for each repair.

    Graded cells come from the release, so what a student did to them does not matter. A free cell stays behind the
    named cell that it followed.
    """
    wanted = dict(named_cells(released))
    copies: dict[str, list[NotebookNode]] = defaultdict(list)
    free: dict[str | None, list[NotebookNode]] = defaultdict(list)
    anchor = None
    for cell in submitted.cells:
        name = grade_id(cell)
        if name and name in wanted:
            copies[name].append(cell)
            anchor = name
        else:
            free[anchor].append(_without_nbgrader(cell))
    if not copies.keys() & answer_cells(released).keys():
        raise Rejected(_another_notebook(submitted))
    cells, repairs = list(free[None]), []
    if list(copies) != [name for name in wanted if name in copies]:
        repairs.append("cells were out of order and have been put back in the order of the release")
    for name, cell in wanted.items():
        chosen, extra, notes = _choose(name, cell, copies.get(name, []))
        cells += [*extra, chosen, *free[name]]
        repairs += notes
    notebook = copy.copy(released)
    notebook.cells = _unique_ids(cells)
    return notebook, repairs


def add_repairs(notebook: NotebookNode, repairs: Sequence[str]) -> None:
    """Put a cell at the top of the notebook that lists the repairs: for the student as Markdown, for us as metadata."""
    if repairs:
        lines = "\n".join(f"- {repair}" for repair in repairs)
        text = f"**Before grading, this notebook was repaired:**\n\n{lines}"
        notebook.cells.insert(0, new_markdown_cell(text, id=REPAIRS, metadata={REPAIRS: list(repairs)}))


def read_repairs(notebook: NotebookNode) -> list[str]:
    """What `add_repairs` listed in a notebook that was rebuilt; no cell of a student's has that id there."""
    return [repair for cell in notebook.cells if cell.get("id") == REPAIRS for repair in cell.metadata.get(REPAIRS, ())]


def _choose(
    name: str, released: NotebookNode, copies: list[NotebookNode]
) -> tuple[NotebookNode, list[NotebookNode], list[str]]:
    """The cell to use, other copies to keep as free cells before it, and what was repaired."""
    cell = NotebookNode(released)
    if not copies:
        return cell, [], [f"the cell {name} was missing and has been put back"]
    repairs = []
    if len(copies) > 1:
        repairs.append(f"the cell {name} appeared {len(copies)} times; the last one that was filled in counts")
    if any(copied.cell_type != released.cell_type for copied in copies):
        repairs.append(f"the cell {name} had been turned into another type of cell")
    if not is_answer(released):
        if any(copied.source != released.source for copied in copies):
            repairs.append(f"the cell {name} had been edited and has been restored")
        return cell, [], repairs
    filled = [copied for copied in copies if copied.source != released.source] or copies
    cell.source = filled[-1].source
    others = [_without_nbgrader(copied) for copied in filled[:-1] if copied.cell_type == "code"]
    return cell, others, repairs


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
