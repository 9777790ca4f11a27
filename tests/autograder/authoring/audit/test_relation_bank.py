"""Whatever is done to the outputs of a reference is caught and described; what is wrong at random is not diagnosed."""

import dataclasses

import pytest

from autograder.authoring.audit.altered_reference import AlteredReference, is_compared
from autograder.authoring.audit.innocents import audit_innocents
from autograder.authoring.audit.relation_bank import DAMAGES, audit_relations
from autograder.exam_types.exam import Misconception
from autograder.exams import EXAMS

GRAM = EXAMS["gram_attention"]
COMPARED = [name for name, exam in EXAMS.items() if is_compared(exam)]


@pytest.mark.parametrize("exercise", COMPARED)
def test_damages_are_described(exercise):
    found = audit_relations([EXAMS[exercise]])
    assert found.full, found.problems


@pytest.mark.parametrize("exercise", COMPARED)
def test_innocents_are_not_diagnosed(exercise):
    found = audit_innocents([EXAMS[exercise]])
    assert found.full, found.problems


def test_most_damages_apply_to_most_exercises():
    assert audit_relations([GRAM]).total >= len(DAMAGES) - 3
    assert audit_relations([EXAMS["EncoderBlock"]]).total >= len(DAMAGES) - 2
    assert audit_innocents([GRAM]).total == 4
    assert audit_relations([EXAMS["why_positions"]]).total == 0


def test_an_exam_that_sees_nothing_is_reported():
    class Lenient(type(GRAM)):
        def examine(self, answer, criterion, draw):
            answer(*criterion.draw(draw))

    fields = {field.name: getattr(GRAM, field.name) for field in dataclasses.fields(GRAM) if field.init}
    assert "gram_attention, negated: it loses no points" in audit_relations([Lenient(**fields)]).problems


def test_a_damage_that_is_described_as_something_else_is_reported(monkeypatch):
    monkeypatch.setattr("course_lib.checks.diagnosis.common_relations", lambda *cases: ())
    assert "gram_attention, negated: described as nothing" in audit_relations([GRAM]).problems


def test_a_misconception_that_is_the_damage_by_another_name_is_no_problem():
    negated = Misconception("negated", "Your output has the opposite sign.", lambda X: -(X @ X.T @ X))
    known = dataclasses.replace(GRAM, misconceptions=(*GRAM.misconceptions, negated))
    assert not any("negated" in problem for problem in audit_relations([known]).problems)


def test_a_diagnosis_of_random_numbers_is_reported(monkeypatch):
    blamed = GRAM.mistake(GRAM.misconceptions[0])
    monkeypatch.setattr("course_lib.checks.diagnosis.common_relations", lambda *cases: (blamed,))
    assert f"gram_attention, with noise: diagnosed as {blamed.id}" in audit_innocents([GRAM]).problems


def test_what_changes_nothing_is_not_counted():
    altered = AlteredReference(GRAM, lambda y, arguments: y)
    assert GRAM.grade(altered.answer).score == GRAM.points
    assert not altered.changed
