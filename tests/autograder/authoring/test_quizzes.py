"""Quizzes in the notebooks: one after each section, each used once, and no reason readable by students."""

import re

import pytest

from autograder.authoring.quizzes import quiz_file, read_quizzes
from autograder.course.notebooks import solution_notebook
from autograder.course.student_library import student_edition
from autograder.course.units import find_unit, written_units
from autograder.errors import CourseError

UNIT = pytest.mark.parametrize("unit", written_units(), ids=lambda unit: unit.full_name)


@UNIT
def test_every_section_ends_with_a_quiz_and_every_quiz_is_used(unit):
    sections, asked = [], []
    for cell in solution_notebook(unit).cells:
        sections += re.findall(r"^## (\d+) · ", cell.source, flags=re.MULTILINE)
        if found := re.match(r'quiz\("(\w+)"\)$', cell.source):
            asked.append((sections[-1], found[1]))
    assert [section for section, _ in asked] == sections
    assert [name for _, name in asked] == list(read_quizzes(unit))


@UNIT
def test_every_notebook_has_an_explorer_and_ends_with_the_panel(unit):
    code = [cell.source for cell in solution_notebook(unit).cells if cell.cell_type == "code"]
    assert any(re.match(r"explore_\w+\(", source) for source in code)
    assert f'progress("{unit.id}")' in code[-2:]


@UNIT
def test_no_reason_can_be_read_in_what_students_get(unit):
    shipped = "\n".join(student_edition(unit).values()) + unit.notebook.read_text("utf-8")
    reasons = [choice["reason"] for quiz in read_quizzes(unit).values() for choice in quiz["choices"]]
    assert reasons
    for reason in reasons:
        assert reason not in shipped
    for quiz in read_quizzes(unit).values():
        assert quiz["question"].replace('"', '\\"') in quiz_file(unit)


@pytest.mark.parametrize(
    "choices",
    [
        '[{right=true, text="a", reason="r"}]',
        '[{right=true, text="a", reason="r"}, {right=true, text="b", reason="r"}]',
        '[{right=false, text="a", reason="r"}, {right=false, text="b", reason="r"}]',
        '[{right=true, text="a", reason="r"}, {right=false, text="a", reason="r"}]',
    ],
)
def test_a_quiz_without_one_right_choice_among_several_is_refused(choices, tmp_path, monkeypatch):
    (tmp_path / "quizzes").mkdir()
    (tmp_path / "quizzes" / "01.toml").write_text(f'[odd]\nquestion = "?"\nchoices = {choices}\n')
    monkeypatch.setattr("autograder.authoring.quizzes.SOURCES", tmp_path)
    with pytest.raises(CourseError, match=r"01.toml: quiz odd"):
        read_quizzes(find_unit("01"))
