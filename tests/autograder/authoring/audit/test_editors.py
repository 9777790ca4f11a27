"""Solved notebooks survive every editor: the rebuilt ones run the same code, and score the same when graded."""

import pytest

from autograder.authoring.audit.damages import damages
from autograder.authoring.audit.editors import audit_editors, damaged, solved_notebook
from autograder.course import submitted_notebook
from autograder.course.cells import answer_cells
from autograder.course.notebooks import student_notebook, write_notebook
from autograder.course.units import find_unit, written_units
from autograder.course.which_unit import unit_of_notebook
from autograder.examiner.grade_submission import assignment_of, grade_submission

UNIT = find_unit("01")
REALLY = ("stripped of nbgrader's metadata", "converted by a tool", "merged in pairs", "turned into text")


@pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.id)
def test_no_damage_changes_what_is_graded(unit):
    found = audit_editors(unit)
    assert found.full, found.problems
    assert found.total >= 8


def test_a_rebuilding_that_finds_less_is_noticed(monkeypatch):
    monkeypatch.setattr(submitted_notebook.FoundCells, "_others_defining", lambda *_: iter(()))
    problems = "\n".join(audit_editors(UNIT).problems)
    assert "whose cells were retyped, other code is graded for test_cross_attention_shapes" in problems


@pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.id)
def test_every_notebook_without_metadata_is_recognized(unit, tmp_path):
    released = student_notebook(unit)
    solved = solved_notebook(unit, released)
    for name in (*REALLY, "saved by Colab", "saved by Colab with ids of its own", "put in one cell"):
        assert unit_of_notebook(tmp_path, damaged(solved, damages(released)[name])) == unit


def all_but_answers_deleted(notebook):
    notebook.cells = list(answer_cells(notebook).values())


@pytest.mark.xdist_group("class")
@pytest.mark.parametrize("name", [*REALLY, None])
def test_a_damaged_notebook_earns_every_point(needs_sandbox, name):
    released = student_notebook(UNIT)
    damage = damages(released)[name] if name else all_but_answers_deleted
    notebook = damaged(solved_notebook(UNIT, released), damage)
    graded = grade_submission(write_notebook(notebook).encode(), assignment_of(UNIT), "seed")
    assert {verdict and verdict.score == verdict.points for verdict in graded.verdicts.values()} == {True}
    assert graded.repairs
