"""Build what is made from sources: notebooks, the cards of the checks, quizzes, the list of exercises, the syllabus."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)

from autograder.course import ROOT, Unit, all_units, written_units
from autograder.errors import CourseError
from autograder.exams import UNITS
from autograder.exercise_list import exercise_list
from autograder.one_thread import one_thread
from autograder.quizzes import QUIZZES, quiz_file
from autograder.syllabus_table import PAGE, syllabus_page
from course_lib.checks.cards import FOLDER as CARDS
from course_lib.checks.standing import LIST as EXERCISES

STUDENT_EDITION = (
    LockCells,
    ClearSolutions,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
)
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
MAP_MARK = "<!-- course map -->"


def solution_notebook(unit: Unit) -> NotebookNode:
    """The instructor notebook: prose, answers and hidden tests, with stable cell ids and no outputs."""
    notebook = jupytext.reads(unit.source.read_text("utf-8"), fmt="py:percent")
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": {"name": "python"}})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen: set[str] = set()
    for cell in notebook.cells:
        cell.source = cell.source.replace(MAP_MARK, course_map(unit))
        cell.metadata = nbformat.from_dict({k: v for k, v in cell.metadata.items() if k == "nbgrader"})
        cell.id = _stable_id(cell, seen)
    nbformat.validate(notebook)
    return notebook


def student_notebook(unit: Unit) -> NotebookNode:
    """The student notebook, made by nbgrader's own preprocessors."""
    notebook, resources = solution_notebook(unit), {}
    for preprocessor in STUDENT_EDITION:
        try:
            notebook, resources = preprocessor().preprocess(notebook, resources)
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
    return nbformat.writes(notebook) + "\n"


def outputs() -> Iterator[tuple[Path, str]]:
    """Every file that `course build` writes, with its text."""
    kinds, solutions = {}, {}
    for unit in written_units():
        solutions[unit] = solution_notebook(unit)
        yield unit.notebook, write_notebook(student_notebook(unit))
        with one_thread():  # several round differently
            cards = {exam.exercise: exam.card() for exam in UNITS[unit.id]}
        kinds |= {exercise: card["kind"] for exercise, card in cards.items()}
        yield CARDS / f"unit_{unit.id}.json", json.dumps(cards, ensure_ascii=False) + "\n"
        yield QUIZZES / f"unit_{unit.id}.json", quiz_file(unit)
    yield EXERCISES, exercise_list(solutions, kinds)
    yield PAGE, syllabus_page()


def stale_files() -> list[str]:
    """The files that a build would change or remove, as paths in the repository."""
    wanted = dict(outputs())
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    return sorted(str(path.relative_to(ROOT)) for path in [*stale, *_left_over(wanted)])


def build() -> list[Path]:
    """Write every file, remove what no source makes any more, and return what was written."""
    wanted = dict(outputs())
    for path, text in wanted.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    for path in _left_over(wanted):
        path.unlink()
    return list(wanted)


def build_solutions(folder: Path) -> list[Path]:
    """Write the instructor notebooks into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for unit in written_units():
        path = folder / unit.notebook.name
        path.write_text(write_notebook(solution_notebook(unit)), "utf-8")
        paths.append(path)
    return paths


def _left_over(wanted: dict[Path, str]) -> list[Path]:
    there = [*(ROOT / "notebooks").glob("*.ipynb"), *CARDS.glob("*.json"), *QUIZZES.glob("*.json")]
    return [path for path in there if path not in wanted]


def _stable_id(cell: NotebookNode, seen: set[str]) -> str:
    """The grade_id where there is one, or else a hash of the source, so that an edit elsewhere changes nothing."""
    name = cell.metadata.get("nbgrader", {}).get("grade_id")
    base = name or hashlib.sha256(f"{cell.cell_type}\n{cell.source}".encode()).hexdigest()[:12]
    unique = next(i for i in (base, *(f"{base}-{n}" for n in range(2, 1000))) if i not in seen)
    seen.add(unique)
    return unique
