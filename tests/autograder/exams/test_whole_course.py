"""A student who has answered every unit: the last section puts their own parts together."""

import pytest

from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.units import written_units
from autograder.demo.stories import fill_in
from autograder.examiner.assignment import Limits, limits_of
from course_lib.portfolio.student_parts import PARTS, gather_parts


@pytest.fixture(scope="module")
def own_folder(tmp_path_factory):
    """The student's notebooks of all units, with every answer filled in."""
    folder = tmp_path_factory.mktemp("my_notebooks")
    for unit in written_units():
        answers = {grade_id(cell): cell.source for cell in solution_notebook(unit).cells if is_answer(cell)}
        notebook = fill_in(student_notebook(unit), answers)
        (folder / unit.notebook.name).write_text(write_notebook(notebook), "utf-8")
    return folder


def test_every_part_of_the_last_model_is_the_students_own(own_folder):
    parts = {part.name: part for part in gather_parts(own_folder).values()}
    assert set(parts) == set(PARTS)
    assert {name: part.reason for name, part in parts.items() if not part.own} == {}


def test_cells_have_longer_where_a_model_is_trained():
    for unit in written_units():
        limits = limits_of(unit)
        assert limits.cell == (180 if unit.id in ("06", "07", "08") else 60)
        assert limits.call == Limits.call
        assert limits_of(unit, 5) == Limits(cell=5, call=5)
