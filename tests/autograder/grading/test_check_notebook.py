"""`course check`: one notebook without a class, by its visible checks and by the exams that grade it."""

import json
import sys

import pytest

from autograder.course.cells import grade_id, is_answer
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.units import find_unit
from autograder.demo.stories import fill_in
from autograder.grading.check_notebook import check_notebook
from autograder.grading.full_check import full_check
from autograder.grading.own_kernel import Stopped, own_kernel
from course_lib.cards.session_outcomes import Outcome

pytestmark = pytest.mark.xdist_group("class")

UNIT = find_unit("00")


@pytest.fixture
def notebook(tmp_path):
    """The first exercise solved, the second with a mistake, the third answered, the rest blank."""
    answers = {grade_id(cell): cell.source for cell in solution_notebook(UNIT).cells if is_answer(cell)}
    written = {
        "batched_outer": answers["batched_outer"],
        "matmul_shapes": answers["matmul_shapes"].replace("B n d_k", "B d_k n"),
        "original_transformer": 'original_transformer = "BD"',
    }
    assert written["matmul_shapes"] != answers["matmul_shapes"]
    path = tmp_path / "mine.ipynb"
    path.write_text(write_notebook(fill_in(student_notebook(UNIT), written)), "utf-8")
    return path


def test_visible_checks_are_shown_in_a_table(course, notebook):
    code, printed = course("check", notebook)
    assert code == 1
    lines = {line.split("│")[1].strip(): line for line in printed.splitlines() if line.startswith("│")}
    assert "passes" in lines["batched_outer"]
    assert "passes" not in lines["matmul_shapes"]
    assert "not tried" in lines["why_positions"]
    assert lines["batched_outer"].split("│")[2].strip() == "2"
    assert "○ answered, graded later" in " ".join(lines["original_transformer"].split())
    assert "2 points: checks pass · 2: answered, graded later · 2: ✗ · 4: open" in " ".join(printed.split())


def test_a_cell_that_ends_its_kernel_costs_itself(tmp_path, monkeypatch):
    """The cells before it run again in a new kernel, and those after it run there too."""
    answers = {grade_id(cell): cell.source for cell in solution_notebook(UNIT).cells if is_answer(cell)}
    answers |= {
        "matmul_shapes": "import os\n\nos._exit(1)",
        "original_transformer": "batched_outer\n" + answers["original_transformer"],
        "why_positions": "check = print\nwhy_position = 'A'",
        "why_self_attention": "1 / 0",
    }
    path = tmp_path / "mine.ipynb"
    path.write_text(write_notebook(fill_in(student_notebook(UNIT), answers)), "utf-8")
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")  # or every check would be silent, and pass
    found = {check.exercise: check for check in check_notebook(path)}
    outcomes = {name: check.outcome for name, check in found.items()}
    assert outcomes["batched_outer"] is Outcome.PASSES
    assert outcomes["original_transformer"] is Outcome.ANSWERED
    assert set(outcomes.values()) == {Outcome.PASSES, Outcome.ANSWERED, Outcome.FAILS}
    assert "the cell matmul_shapes ended the kernel" in found["matmul_shapes"].says
    assert "'why_positions' is not defined: has a name been changed?" in found["why_positions"].says
    assert found["why_self_attention"].says == "the cell stopped with ZeroDivisionError: division by zero"


def test_a_kernel_has_its_own_folder_and_a_limit_of_time():
    with own_kernel(UNIT, 3) as kernel:
        assert kernel.error_of("import sys, os; assert not os.listdir()") is None
        assert kernel.error_of(f"assert sys.executable == {sys.executable!r}") is None
        assert kernel.error_of("from course_lib.nn.outer import batched_outer").ename == "ImportError"
        with pytest.raises(Stopped, match=r"ran longer than 3 s: is there an endless loop\?"):
            kernel.error_of("while True:\n    pass")


def test_the_hidden_exams_run_without_a_class(course, notebook, tmp_path):
    path = tmp_path / "result.json"
    course("check", "--full", notebook, "--json", path)
    result = json.loads(path.read_text("utf-8"))
    scores = {exercise["id"]: (exercise["score"], exercise["status"]) for exercise in result["exercises"]}
    assert scores["batched_outer"] == (2, "graded")
    assert 0 <= scores["matmul_shapes"][0] < 2
    assert scores["why_positions"] == (0, "not tried")
    assert result["score"] == sum(score for score, _ in scores.values())


def test_an_author_sees_full_marks_for_the_solution_and_no_repairs(tmp_path):
    path = tmp_path / "solution.ipynb"
    path.write_text(write_notebook(solution_notebook(UNIT)), "utf-8")
    result = full_check(path)
    assert (result.score, result.problems) == (UNIT.points, [])


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}', "has no exercise of this course in it"),
    ],
)
def test_other_files_are_refused_with_a_sentence(course, tmp_path, content, sentence):
    path = tmp_path / "other.ipynb"
    path.write_bytes(content)
    code, printed = course("check", path)
    assert code == 1
    assert sentence in printed
    assert "cannot be read" in course("check", tmp_path / "nowhere.ipynb")[1]
