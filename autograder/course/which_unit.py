"""Recognize the unit of a notebook by its exercises, whatever the file is called."""

from pathlib import Path

from nbformat import NotebookNode

from autograder.course.cells import named_cells
from autograder.course.submitted_notebook import Rejected, read_notebook
from autograder.course.units import Unit, find_unit
from autograder.errors import CourseError


def read_any_notebook(path: Path) -> NotebookNode:
    """The notebook in a file; a CourseError says what is wrong with it."""
    try:
        return read_notebook(path.read_bytes())
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None
    except Rejected as problem:
        raise CourseError(f"{path} cannot be checked: {problem}") from None


def unit_of_notebook(path: Path, notebook: NotebookNode) -> Unit:
    """The unit that most of its exercises belong to."""
    from course_lib.cards.exercise_index import unit_of

    number = unit_of([name for name, _ in named_cells(notebook)])
    if number is None:
        raise CourseError(f"{path} has no exercise of this course in it")
    return find_unit(number)
