"""The syllabus: every question has a unit, every written unit answers its own, and the table says so."""

import dataclasses

import pytest

from autograder.authoring import syllabus, syllabus_page
from autograder.authoring.syllabus import ASSIGNED, SECTIONS, SOURCE_IDS, Coverage, coverage, covered_ids
from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook
from autograder.course.units import all_units, find_unit, written_units
from autograder.exams import EXAMS, UNITS

UNIT = pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.full_name)


def lacking_ids(unit):
    return [row.id for row in coverage() if unit in row.lacking]


@UNIT
def test_a_written_unit_covers_all_that_is_assigned_to_it(unit):
    assert lacking_ids(unit) == []


@UNIT
def test_explanations_that_cover_something_are_in_the_notebook(unit):
    written = {grade_id(c) for c in solution_notebook(unit).cells if is_answer(c) and c.cell_type == "markdown"}
    assert unit.explains.keys() <= written


def test_every_id_belongs_to_a_unit_and_every_unit_has_its_ids():
    assert len(SOURCE_IDS) == len(set(SOURCE_IDS)) == 68
    assert list(ASSIGNED) == [unit.id for unit in all_units()]
    assert {one for ids in ASSIGNED.values() for one in ids.split()} == set(SOURCE_IDS)


def test_exercises_name_ids_that_exist():
    for exercise, ids in covered_ids():
        assert set(ids) <= {*SOURCE_IDS, *SECTIONS}, f"{exercise.name} covers {ids}"


def test_an_id_that_a_written_unit_lacks_is_found(monkeypatch, course):
    unit = find_unit("01")
    exams = [exam for exam in UNITS["01"] if exam.exercise != "cross_attention"]
    monkeypatch.setitem(UNITS, "01", exams)
    assert lacking_ids(unit) == ["A5", "A7", "Bt4", "C6"]
    code, printed = course("syllabus")
    assert code == 1
    assert "no exercise covers A5 in unit 01, A7 in unit 01, Bt4 in unit 01, C6 in unit 01:" in printed


def test_an_explanation_counts(monkeypatch):
    for explains, kinds in (({}, {"code"}), ({"my_words": ["E3c"]}, {"code", "explain"})):
        unit = dataclasses.replace(find_unit("01"), explains=explains)
        monkeypatch.setattr(syllabus, "written_units", lambda unit=unit: (unit,))
        row = next(row for row in coverage() if row.id == "E3c")
        assert {exercise.kind for exercise in row.exercises} == kinds


def test_a_unit_that_is_not_written_is_waited_for(monkeypatch, course):
    monkeypatch.setattr(syllabus, "written_units", lambda: ())
    unwritten = [dataclasses.replace(unit, points=0) for unit in all_units()]
    monkeypatch.setattr(syllabus, "all_units", lambda: unwritten)
    row = next(row for row in coverage() if row.id == "A9")
    assert row == Coverage("A9", (), waiting=tuple(unit for unit in unwritten if unit.id in ("06", "07")), lacking=())
    code, printed = course("syllabus")
    assert code == 0, printed
    assert f"0 of {len(SOURCE_IDS)} ids are covered" in printed


def test_command_shows_every_id_in_order(course):
    code, printed = course("syllabus")
    assert code == 0, printed
    first = [line.split()[0] for line in printed.splitlines() if line.strip()]
    assert [word for word in first if word in SOURCE_IDS] == list(SOURCE_IDS)
    assert "01 not_additive (counterexample)" in printed


def test_command_writes_the_page(course, monkeypatch, tmp_path):
    page = tmp_path / "syllabus.md"
    monkeypatch.setattr(syllabus_page, "PAGE", page)
    assert course("syllabus")[0] == 0
    assert not page.exists()
    assert course("syllabus", "--write")[0] == 0
    assert page.read_text("utf-8") == syllabus_page.syllabus_page()


def test_the_page_names_every_exercise_that_covers_something():
    page = syllabus_page.syllabus_page()
    for exam in EXAMS.values():
        assert (f"`{exam.exercise}` ({syllabus.exam_kind(exam).label})" in page) == bool(exam.covers)


def test_sections_are_shown_once_an_exercise_names_one(monkeypatch):
    exam = dataclasses.replace(EXAMS["gram_attention"], covers=("B plot",))
    monkeypatch.setitem(UNITS, "01", (exam,))
    rows = [row for row in syllabus_page.syllabus_page().splitlines() if row.startswith("| B plot |")]
    assert len(rows) == 1
    assert "[01](../notebooks/01_cross_attention_shapes.ipynb) `gram_attention` (code)" in rows[0]
