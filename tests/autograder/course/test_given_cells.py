"""Given cells return to their places, and those that answers need are put back when they are gone."""

import copy

import pytest
from nbformat.v4 import new_code_cell

from autograder.course.cells import answer_cells, grade_id
from autograder.course.notebooks import student_notebook
from autograder.course.submitted_notebook import LOST, rebuild
from autograder.course.units import find_unit
from autograder.demo.stories import fill_in, right_answers

UNIT = find_unit("01")


@pytest.fixture(scope="module")
def released():
    return student_notebook(UNIT)


@pytest.fixture
def solved(released):
    return fill_in(released, right_answers(UNIT))


def sources(notebook):
    return [cell.source for cell in notebook.cells]


def imports_of(notebook):
    return next(cell for cell in notebook.cells if "import torch" in cell.source)


def test_imports_that_were_moved_to_the_end_return(solved, released):
    moved = copy.deepcopy(solved)
    moved.cells.append(moved.cells.pop(moved.cells.index(imports_of(moved))))
    rebuilt, repairs = rebuild(moved, released)
    assert sources(rebuilt) == sources(solved)
    assert repairs == []


def test_deleted_imports_are_put_back(solved, released):
    lost = imports_of(solved)
    solved.cells.remove(lost)
    rebuilt, repairs = rebuild(solved, released)
    assert sources(rebuilt).index(lost.source) < [grade_id(c) for c in rebuilt.cells].index("cross_attention_shapes")
    assert repairs == [LOST]


def test_a_given_cell_that_was_edited_is_not_doubled(solved, released):
    given = imports_of(solved)
    given.source += "\nimport math as m"
    rebuilt, repairs = rebuild(solved, released)
    assert sum("import torch" in source for source in sources(rebuilt)) == 1
    assert repairs == []


def test_what_nothing_needs_stays_deleted(solved, released):
    plots = next(cell for cell in solved.cells if cell.cell_type == "code" and "plots." in cell.source)
    solved.cells.remove(plots)
    rebuilt, repairs = rebuild(solved, released)
    assert plots.source not in sources(rebuilt)
    assert repairs == []


def test_a_copy_that_the_student_runs_again_stays_where_it_is(solved, released):
    again = new_code_cell(imports_of(solved).source)
    solved.cells.append(again)
    rebuilt, _ = rebuild(solved, released)
    assert sources(rebuilt)[-1] == again.source
    assert sources(rebuilt) == sources(solved)


def test_answers_alone_bring_back_what_they_need(solved, released):
    solved.cells = list(answer_cells(solved).values())
    rebuilt, repairs = rebuild(solved, released)
    assert imports_of(rebuilt).source == imports_of(released).source
    assert LOST in repairs
