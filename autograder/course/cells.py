"""The cells of a notebook as nbgrader marks them: names, answers, and the graded cells that hold tests."""

from collections.abc import Iterator
from typing import Any

from nbformat import NotebookNode

TEST_PREFIX = "test_"  # the graded cell of the exercise `gram_attention` is `test_gram_attention`


def nbgrader_metadata(cell: NotebookNode) -> dict[str, Any]:
    """nbgrader's metadata of a cell; empty if a student has put anything but a dict in its place."""
    metadata = cell.metadata.get("nbgrader")
    return metadata if isinstance(metadata, dict) else {}


def grade_id(cell: NotebookNode) -> str | None:
    """The name that nbgrader knows the cell by; None for a free cell."""
    name = nbgrader_metadata(cell).get("grade_id")
    return name if isinstance(name, str) else None


def cell_ids(cell: NotebookNode) -> list[str]:
    """The ids of a cell: nbformat's, and the one that Colab keeps in the metadata."""
    return [value for value in (cell.get("id"), cell.metadata.get("id")) if isinstance(value, str)]


def named_cells(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    """Each cell that has a grade_id, with its grade_id."""
    for cell in notebook.cells:
        if name := grade_id(cell):
            yield name, cell


def answer_cells(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """The cells that students fill in, by exercise, in the order of the notebook."""
    return {name: cell for name, cell in named_cells(notebook) if is_answer(cell)}


def exercise_of(cell_name: str) -> str:
    """The exercise that an answer cell or its test cell belongs to."""
    return cell_name.removeprefix(TEST_PREFIX)


def is_answer(cell: NotebookNode) -> bool:
    return bool(nbgrader_metadata(cell).get("solution"))


def is_graded_code(cell: NotebookNode) -> bool:
    """Whether the cell holds tests, which the examiner runs; an answer that a person grades does not."""
    metadata = nbgrader_metadata(cell)
    return cell.cell_type == "code" and bool(metadata.get("grade")) and not metadata.get("solution")
