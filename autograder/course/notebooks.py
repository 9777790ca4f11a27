"""Build the two notebooks of a unit from its source: the instructor's, with solutions, and the students'."""

import hashlib

import nbformat
from nbformat import NotebookNode

from autograder.course.cells import is_answer
from autograder.course.colab import colab_cell
from autograder.course.units import Unit, all_units
from autograder.errors import CourseError

STUDENT_EDITION = (
    "LockCells",
    "ClearSolutions",
    "ClearOutput",
    "CheckCellMetadata",
    "ComputeChecksums",
    "ClearHiddenTests",
    "ClearMarkScheme",
    "ComputeChecksums",
    "CheckCellMetadata",
)
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
RAISES = "raises-exception"
MAP_MARK = "<!-- course map -->"


def solution_notebook(unit: Unit) -> NotebookNode:
    """The instructor notebook: the source and the cell for Colab, with stable cell ids and no outputs."""
    import jupytext

    notebook = jupytext.reads(unit.source.read_text("utf-8"), fmt="py:percent")
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    first = next(index for index, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    notebook.cells.insert(first, colab_cell(unit))
    seen: set[str] = set()
    for cell in notebook.cells:
        cell.source = cell.source.replace(MAP_MARK, course_map(unit))
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k == "nbgrader"})
        cell.id = _stable_id(cell, seen)
    _let_run_all_go_on(notebook)
    nbformat.validate(notebook)
    return notebook


def student_notebook(unit: Unit) -> NotebookNode:
    """The student notebook: the instructor's, run through the preprocessors of `nbgrader generate_assignment`."""
    from nbgrader import preprocessors

    notebook, resources = solution_notebook(unit), dict[str, object]()
    for name in STUDENT_EDITION:
        try:
            notebook, resources = getattr(preprocessors, name)().preprocess(notebook, resources)
        except Exception as error:
            raise CourseError(f"{unit.source.name} cannot be built: {error}") from error
    return notebook


def _let_run_all_go_on(notebook: NotebookNode) -> None:
    """From the first answer on, an error stops no cell below it: JupyterLab and VS Code heed this tag in *Run All*."""
    first = next((place for place, cell in enumerate(notebook.cells) if is_answer(cell)), len(notebook.cells))
    for cell in notebook.cells[first:]:
        if cell.cell_type == "code":
            cell.metadata["tags"] = [RAISES]


def course_map(current: Unit) -> str:
    """A Markdown table with all units in a row and the current one marked."""
    numbers = [f"**▶ {unit.id}**" if unit == current else unit.id for unit in all_units()]
    titles = [f"**{unit.title}**" if unit == current else unit.title for unit in all_units()]
    return "\n".join(f"| {' | '.join(row)} |" for row in (numbers, [":-:"] * len(numbers), titles))


def write_notebook(notebook: NotebookNode) -> str:
    """The notebook as JSON text, byte for byte reproducible."""
    return nbformat.v4.writes(notebook) + "\n"  # without validating again: reading and building validate


def _stable_id(cell: NotebookNode, seen: set[str]) -> str:
    """The grade_id, or else a hash of the source, so that an edit of one cell leaves the ids of all others."""
    name = cell.metadata.get("nbgrader", {}).get("grade_id")
    base = name or hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    unique = next(i for i in (base, *(f"{base}-{n}" for n in range(2, 1000))) if i not in seen)
    seen.add(unique)
    return unique
