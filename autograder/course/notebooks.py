"""Build the notebooks of a unit from its source: the instructor's and the students'."""

import hashlib

import nbformat
from nbformat import NotebookNode

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
MAP_MARK = "<!-- course map -->"


def solution_notebook(unit: Unit) -> NotebookNode:
    """The instructor notebook: the source and the cell for Colab, with stable cell ids and no outputs."""
    import jupytext

    notebook = jupytext.reads(unit.source.read_text("utf-8"), fmt="py:percent")
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    first = next(place for place, cell in enumerate(notebook.cells) if cell.cell_type == "code")
    notebook.cells.insert(first, colab_cell(unit))
    seen: set[str] = set()
    for cell in notebook.cells:
        cell.source = cell.source.replace(MAP_MARK, course_map(unit))
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k == "nbgrader"})
        cell.id = _stable_id(cell, seen)
    nbformat.validate(notebook)
    return notebook


def student_notebook(unit: Unit) -> NotebookNode:
    """The student notebook, made by nbgrader's own preprocessors."""
    from nbgrader import preprocessors

    notebook, resources = solution_notebook(unit), {}
    for name in STUDENT_EDITION:
        try:
            notebook, resources = getattr(preprocessors, name)().preprocess(notebook, resources)
        except Exception as error:
            raise CourseError(f"{unit.source.name} cannot be built: {error}") from error
    return notebook


def course_map(here: Unit) -> str:
    """All units in a row, as a Markdown table, with one of them marked."""
    numbers = [f"**▶ {unit.id}**" if unit == here else unit.id for unit in all_units()]
    titles = [f"**{unit.title}**" if unit == here else unit.title for unit in all_units()]
    return "\n".join(f"| {' | '.join(row)} |" for row in (numbers, [":-:"] * len(numbers), titles))


def write_notebook(notebook: NotebookNode) -> str:
    """The notebook as text, byte for byte the same wherever it is made."""
    return nbformat.v4.writes(notebook) + "\n"  # it was validated when it was read, and so was each output


def _stable_id(cell: NotebookNode, seen: set[str]) -> str:
    """The grade_id where there is one, or else a hash of the source, so that an edit elsewhere changes nothing."""
    name = cell.metadata.get("nbgrader", {}).get("grade_id")
    base = name or hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    unique = next(i for i in (base, *(f"{base}-{n}" for n in range(2, 1000))) if i not in seen)
    seen.add(unique)
    return unique
