"""Recognize the unit of a notebook by its exercises, whatever the file is called."""

from pathlib import Path

from nbformat import NotebookNode

from autograder.course.cells import cell_ids, named_cells
from autograder.course.definitions import definitions
from autograder.course.submitted_notebook import LARGEST_FILE, Rejected, read_notebook
from autograder.course.units import Unit, find_unit
from autograder.errors import CourseError
from autograder.outside_files import Missing, read_named


def read_any_notebook(path: Path) -> NotebookNode:
    """The notebook in a file; a CourseError says what is wrong with it."""
    try:
        return read_notebook(read_named(path, LARGEST_FILE))
    except Missing:
        raise CourseError(f"{path} cannot be read: there is no such file") from None
    except Rejected as problem:
        raise CourseError(f"{path} cannot be checked: {problem}") from None


def unit_of_notebook(path: Path, notebook: NotebookNode) -> Unit:
    """The unit that most of its exercises belong to; by cell ids or definitions where an editor dropped metadata."""
    from course_lib.cards.exercise_index import unit_of

    for names in (_grade_ids(notebook), _cell_ids(notebook), _defined(notebook)):
        if number := unit_of(names):
            return find_unit(number)
    raise CourseError(f"{path} has no exercise of this course in it")


def _grade_ids(notebook: NotebookNode) -> list[str]:
    return [name for name, _ in named_cells(notebook)]


def _cell_ids(notebook: NotebookNode) -> list[str]:
    """An answer's cell has the exercise as its id, which Colab keeps in the metadata."""
    return [name for cell in notebook.cells for name in cell_ids(cell)]


def _defined(notebook: NotebookNode) -> list[str]:
    return [name for cell in notebook.cells for name in definitions(cell.source)]
