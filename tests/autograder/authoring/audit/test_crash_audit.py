"""Beginners' answers that raise, graded with their exams."""

import pytest

from autograder.authoring.audit.crash_audit import audit_crashes, explanations
from autograder.authoring.audit.crash_bank import CRASHES
from autograder.authoring.audit.crash_bank.crash import Crash
from autograder.exams import EXAMS

FEWEST = 80


def test_the_bank_covers_all_units():
    assert len(CRASHES) >= FEWEST
    units = {EXAMS[crash.exercise].reference.__module__ for crash in CRASHES}
    assert len(units) > 20


def test_the_bank_is_explained():
    assert audit_crashes().problems == ()


def test_an_answer_with_another_explanation_is_a_problem():
    right = Crash("softmax", "math-of-tensor", "return math.exp(x)")
    wrong = Crash("softmax", "keepdim", "return math.exp(x)")
    assert explanations(right) == {"crash/math-of-tensor"}
    tally = audit_crashes([right, wrong])
    assert str(tally) == "1/2"
    assert "explained by crash/math-of-tensor, expected crash/keepdim" in tally.problems[0]


@pytest.mark.parametrize("unit", ["00", "05"])
def test_a_notebooks_names_are_those_of_its_cells(unit):
    exercise, has_functional = {"00": ("batched_outer", False), "05": ("LayerNorm", True)}[unit]
    answer = Crash(exercise, "", "class LayerNorm:\n    x = F" if has_functional else "return F")
    assert callable(answer.answer())
