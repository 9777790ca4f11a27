"""Check one notebook without a class by the exams that grade it."""

from pathlib import Path

from nbformat import NotebookNode

from autograder.course.cells import grade_id, is_graded_code, nbgrader_metadata
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.units import Unit
from autograder.course.which_unit import read_any_notebook, unit_of_notebook
from autograder.examiner.assignment import limits_of
from autograder.examiner.grade_submission import assignment_of, grade_submission
from autograder.gradebook.reader import CellGrade, Grades, make_result
from autograder.gradebook.results import Result


def full_check(path: Path, sandbox: str = "bwrap", seconds: float | None = None) -> Result:
    """What the notebook would get if it were graded, with hidden inputs that are the same each time."""
    submitted = read_any_notebook(path)
    unit = unit_of_notebook(path, submitted)
    _hide_tests(submitted, unit)
    assignment = assignment_of(unit, sandbox, limits_of(unit, seconds))
    graded = grade_submission(write_notebook(submitted).encode(), assignment, seed="")
    grades = Grades(points=unit.points)
    for cell in solution_notebook(unit).cells:
        name, metadata = grade_id(cell), nbgrader_metadata(cell)
        if name and metadata.get("grade"):
            verdict = graded.verdicts.get(name)
            score, waits = verdict.score if verdict else 0.0, graded.answered.get(name, False)
            grades.cells[name] = CellGrade(metadata["points"], score, waits=waits)
    return make_result(unit, path.name, graded, grades)


def _hide_tests(notebook: NotebookNode, unit: Unit) -> None:
    """An author's notebook still has its hidden tests, which is no edit to repair."""
    whole = {grade_id(cell): cell.source for cell in solution_notebook(unit).cells if grade_id(cell)}
    released = {grade_id(cell): cell.source for cell in student_notebook(unit).cells}
    for cell in notebook.cells:
        if is_graded_code(cell) and cell.source == whole.get(grade_id(cell)):
            cell.source = released[grade_id(cell)]
