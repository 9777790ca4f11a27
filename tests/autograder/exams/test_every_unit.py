"""Every unit, graded as a class is: the course's own answers get full marks, a blank notebook gets none."""

import pytest
from builders.submissions import put_submission

from autograder.classroom.directory import init_class
from autograder.classroom.release import release_unit
from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook
from autograder.course.units import written_units
from autograder.demo.stories import fill_in
from autograder.grading.grade_class import grade_class


@pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.full_name)
def test_solution_gets_everything_and_blank_gets_nothing(unit, tmp_path):
    directory = init_class(tmp_path / "class")
    release_unit(directory, unit)
    answers = {grade_id(cell): cell for cell in solution_notebook(unit).cells if is_answer(cell)}
    by_a_person = sum(cell.metadata.nbgrader.points for cell in answers.values() if cell.cell_type == "markdown")
    blank = student_notebook(unit)
    solved = fill_in(blank, {name: cell.source for name, cell in answers.items()})
    for student, notebook in (("blank", blank), ("solved", solved)):
        put_submission(directory, unit, student, notebook)
    results = {result.student: result for result in grade_class(directory, unit)}
    assert {student: result.status for student, result in results.items()} == {"blank": "graded", "solved": "graded"}
    assert results["blank"].score == 0
    assert {exercise.status for exercise in results["blank"].exercises} == {"not tried"}
    assert results["solved"].score == unit.points - by_a_person
