"""What editors, tools and students do to the cells of a notebook, by what was done."""

import ast
import copy
import random
from collections.abc import Callable, Mapping
from functools import partial

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.course.cells import TEST_PREFIX, answer_cells, grade_id, is_graded_code

Damage = Callable[[NotebookNode], None]


def damages(released: NotebookNode) -> dict[str, Damage]:
    """The kinds of damage: each changes a solved notebook in place."""
    stubs = answer_cells(released)
    return {
        "stripped of nbgrader's metadata": stripped,
        "converted by a tool": converted,
        "saved by Colab": saved_by_colab,
        "saved by Colab with ids of its own": saved_by_colab_with_other_ids,
        "run by papermill": run_by_papermill,
        "retyped": retyped,
        "retyped above their stubs": partial(retyped_beside_stubs, stubs=stubs, below=0),
        "retyped below their stubs": partial(retyped_beside_stubs, stubs=stubs, below=1),
        "emptied and retyped at the end": emptied,
        "split, both halves with metadata": partial(split, keeps=(True, True)),
        "split, with metadata above": partial(split, keeps=(True, False)),
        "split, with metadata below": partial(split, keeps=(False, True)),
        "merged with their checks": partial(merged_with_checks, keep=0),
        "merged into their checks": partial(merged_with_checks, keep=1),
        "merged with their hints": merged_with_hints,
        "merged in pairs": merged_in_pairs,
        "put in one cell": put_in_one_cell,
        "moved to the end": moved_to_the_end,
        "moved without metadata": moved_without_metadata,
        "shuffled": shuffled,
        "shuffled without metadata": shuffled_without_metadata,
        "copied": copied,
        "turned into text": turned_into_text,
        "left without graded cells": without_graded_cells,
        "written below the stub": retyped_in_words,
        "merged with their headings": merged_with_headings,
    }


def _code_answers(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in answer_cells(notebook).values() if cell.cell_type == "code"]


def _strip(cell: NotebookNode) -> None:
    cell.metadata.pop("nbgrader", None)


def _new_ids(notebook: NotebookNode) -> None:
    for number, cell in enumerate(notebook.cells):
        cell.id = f"new-{number}"


def stripped(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        _strip(cell)


def converted(notebook: NotebookNode) -> None:
    """By jupytext or a script: other ids and no metadata."""
    stripped(notebook)
    _new_ids(notebook)


def saved_by_colab(notebook: NotebookNode) -> None:
    notebook.nbformat_minor = 0
    notebook.metadata["colab"] = {"provenance": []}
    for cell in notebook.cells:
        _strip(cell)
        cell.metadata |= {"id": cell.pop("id"), "outputId": "3f2a"}


def saved_by_colab_with_other_ids(notebook: NotebookNode) -> None:
    notebook.nbformat_minor = 4
    for number, cell in enumerate(notebook.cells):
        del cell["id"]
        cell.metadata["id"] = f"aBc{number}"


def run_by_papermill(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.metadata |= {"tags": [], "papermill": {"status": "completed"}}
        cell.source = cell.source.splitlines(keepends=True)
    notebook.cells.insert(1, new_code_cell("", metadata={"tags": ["injected-parameters"]}))
    _new_ids(notebook)


def retyped(notebook: NotebookNode) -> None:
    for number, cell in enumerate(answer_cells(notebook).values()):
        _strip(cell)
        cell.id = f"mine-{number}"


def retyped_beside_stubs(notebook: NotebookNode, stubs: Mapping[str, NotebookNode], below: int) -> None:
    for cell in _code_answers(notebook):
        answer = new_code_cell(cell.source)
        cell.source = stubs[str(grade_id(cell))].source
        notebook.cells.insert(notebook.cells.index(cell) + below, answer)


def emptied(notebook: NotebookNode) -> None:
    """The answers are in cells at the end, and their own cells are empty."""
    for cell in _code_answers(notebook):
        notebook.cells.append(new_code_cell(cell.source))
        cell.source = ""


def split(notebook: NotebookNode, keeps: tuple[bool, bool]) -> None:
    """The first statement of each answer is in a cell of its own; `keeps` says which halves have the metadata."""
    for number, cell in enumerate(_code_answers(notebook)):
        body = ast.parse(cell.source).body
        if len(body) < 2:
            continue
        lines, above = cell.source.splitlines(keepends=True), copy.deepcopy(cell)
        end = body[0].end_lineno
        above.source, cell.source, above.id = "".join(lines[:end]), "".join(lines[end:]), f"above-{number}"
        for half, kept in zip((above, cell), keeps, strict=True):
            if not kept:
                _strip(half)
                half.id = f"half-{number}"
        notebook.cells.insert(notebook.cells.index(cell), above)


def merged_with_checks(notebook: NotebookNode, keep: int) -> None:
    """The cell of the answer (0) or that of its check (1) stays."""
    cells = {grade_id(cell): cell for cell in notebook.cells}
    for cell in _code_answers(notebook):
        pair = cell, cells[TEST_PREFIX + str(grade_id(cell))]
        pair[keep].source = "\n\n".join(half.source for half in pair)
        notebook.cells.remove(pair[1 - keep])


def merged_with_hints(notebook: NotebookNode) -> None:
    """As code, and as Markdown where the hints' cell was the active one."""
    for number, cell in enumerate(_code_answers(notebook)):
        below = notebook.cells[notebook.cells.index(cell) + 1]
        if below.cell_type == "markdown":
            keep, drop = (cell, below) if number % 2 else (below, cell)
            keep.source = f"{cell.source}\n\n{below.source}"
            notebook.cells.remove(drop)


def merged_in_pairs(notebook: NotebookNode) -> None:
    """Each answer with the next one, which loses its own cell."""
    for above, below in zip(*[iter(_code_answers(notebook))] * 2, strict=False):
        above.source += f"\n\n{below.source}"
        notebook.cells.remove(below)


def put_in_one_cell(notebook: NotebookNode) -> None:
    """All code up to the last answer."""
    last = notebook.cells.index(_code_answers(notebook)[-1])
    code = [cell for cell in notebook.cells[: last + 1] if cell.cell_type == "code" and not is_graded_code(cell)]
    one = new_code_cell("\n\n".join(cell.source for cell in code))
    notebook.cells = [one, *(cell for cell in notebook.cells if cell not in code)]


def moved_to_the_end(notebook: NotebookNode) -> None:
    answers = _code_answers(notebook)
    notebook.cells = [cell for cell in notebook.cells if cell not in answers] + answers


def moved_without_metadata(notebook: NotebookNode) -> None:
    moved_to_the_end(notebook)
    for cell in _code_answers(notebook):
        cell.id = f"moved-{cell.id}"
        _strip(cell)


def shuffled(notebook: NotebookNode) -> None:
    random.Random(1).shuffle(notebook.cells)


def shuffled_without_metadata(notebook: NotebookNode) -> None:
    stripped(notebook)
    shuffled(notebook)


def copied(notebook: NotebookNode) -> None:
    """With metadata and id: behind the answer, and again at the end."""
    for cell in _code_answers(notebook):
        notebook.cells.insert(notebook.cells.index(cell) + 1, copy.deepcopy(cell))
        notebook.cells.append(copy.deepcopy(cell))


def turned_into_text(notebook: NotebookNode) -> None:
    for number, cell in enumerate(_code_answers(notebook)):
        place = notebook.cells.index(cell)
        notebook.cells[place] = new_markdown_cell(cell.source, metadata=cell.metadata if number % 2 else {})


def without_graded_cells(notebook: NotebookNode) -> None:
    notebook.cells = [cell for cell in notebook.cells if not is_graded_code(cell)]


def retyped_in_words(notebook: NotebookNode) -> None:
    """Written answers in two new cells behind their stubs."""
    for cell in list(answer_cells(notebook).values()):
        if cell.cell_type == "markdown":
            place = notebook.cells.index(cell)
            notebook.cells[place + 1 : place + 1] = [new_markdown_cell(cell.source)]
            cell.source = "YOUR ANSWER HERE"


def merged_with_headings(notebook: NotebookNode) -> None:
    """A written answer merged into the cell with its heading."""
    for cell in list(answer_cells(notebook).values()):
        above = notebook.cells[notebook.cells.index(cell) - 1]
        if cell.cell_type == "markdown" and above.cell_type == "markdown":
            above.source += f"\n\n{cell.source}"
            notebook.cells.remove(cell)
