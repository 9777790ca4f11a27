"""The audit is complete for every exam, and finds what is wrong with a weak one."""

import dataclasses

import pytest
import torch

from autograder.authoring.audit.audit import audit_exam, blank_answer
from autograder.exam_types import ChooseExam, CodeExam, Option
from autograder.exam_types.exam import Criterion, Misconception
from autograder.exams import EXAMS
from course_lib.checks import Finding

GRAM = EXAMS["gram_attention"]
KNOWN, ACCEPTED = len(GRAM.misconceptions), len(GRAM.accepted)


SEEDS = 5  # `course audit` tries 200


def few_seeds(exam, **changes):
    return audit_exam(dataclasses.replace(exam, **changes), seeds=3)


def fields(exam):
    return {field.name: getattr(exam, field.name) for field in dataclasses.fields(exam) if field.init}


@pytest.mark.parametrize("exercise", EXAMS)
def test_exam_is_sound_and_knows_enough_answers(exercise):
    found = audit_exam(EXAMS[exercise], SEEDS)
    assert found.sound, found.problems
    assert found.large_enough, found.problems
    assert found.complete, found.problems
    assert str(found.seeds) == f"{SEEDS}/{SEEDS}"


def test_shortcut_that_earns_half_is_reported():
    found = few_seeds(GRAM, shortcuts=(lambda X: X, GRAM.reference))
    assert str(found.shortcuts) == "1/2"
    assert found.problems == ("shortcut 2 earns half of the points or more, with seed 0, 1, 2 …",)


def test_audit_counts_each_answer_once():
    found = few_seeds(GRAM)
    assert (found.caught.total, found.diagnosed.total) == (len(GRAM.misconceptions),) * 2
    assert (found.accepted.total, found.seeds.total, found.blank.total) == (len(GRAM.accepted), 3, 1)


def test_misconception_that_passes_is_reported():
    right = Misconception("another-way", "You did it in another way.", lambda X: X @ (X.T @ X))
    found = few_seeds(GRAM, misconceptions=(*GRAM.misconceptions, right))
    assert str(found.caught) == str(found.diagnosed) == f"{KNOWN}/{KNOWN + 1}"
    assert not found.sound
    assert found.large_enough
    assert not found.complete
    assert found.problems[0] == "the misconception 'another-way' loses no points, with seed 0, 1, 2 …"


def test_misconception_that_is_taken_for_another_is_reported():
    first = GRAM.misconceptions[0]
    same = Misconception("other-words", "The same mistake in other words.", first.answer)
    found = few_seeds(GRAM, misconceptions=(*GRAM.misconceptions, same))
    assert found.caught.full
    assert str(found.diagnosed) == f"{KNOWN - 1}/{KNOWN + 1}"  # two that are alike: neither is named
    assert not found.complete


def test_criterion_that_accepts_anything_is_reported():
    class Lenient(CodeExam):
        def examine(self, answer, criterion, draw):
            pass

    found = audit_exam(Lenient(**fields(GRAM)), seeds=3)
    assert str(found.caught) == f"0/{KNOWN}"
    assert found.accepted.full
    assert not found.blank.full
    assert not found.complete


def test_accepted_answer_that_loses_points_is_reported():
    found = few_seeds(GRAM, accepted=(*GRAM.accepted, lambda X: X))
    assert str(found.accepted) == f"{ACCEPTED}/{ACCEPTED + 1}"
    assert f"accepted answer {ACCEPTED + 1} loses points" in found.problems[0]
    assert not found.complete


def test_reference_that_fails_now_and_then_is_reported():
    class Moody(CodeExam):
        def examine(self, answer, criterion, draw):
            if draw.uniform(0, 1) < 0.1:
                raise Finding("not today")

    found = audit_exam(Moody(**fields(GRAM)), seeds=100)
    assert 0 < len(found.seeds.problems) < 100
    assert found.seeds.problems[0].startswith("the reference loses points, with seed ")
    assert not found.complete


def test_small_bank_is_sound_but_not_complete():
    found = few_seeds(GRAM, misconceptions=GRAM.misconceptions[:4], accepted=GRAM.accepted[:3])
    assert found.sound
    assert not found.large_enough
    assert not found.complete
    assert len(found.problems) == 2


def test_every_wrong_choice_is_a_misconception():
    options = {"A": Option(True, "it is so."), "B": Option(False, "it is not."), "C": Option(True, "it follows.")}
    exam = ChooseExam(exercise="choice", criteria=(Criterion("true ones", 2),), options=options, accepted=("AC",))
    found = audit_exam(exam, seeds=1)
    assert str(found.caught) == str(found.diagnosed) == "6/6"

    class Silent(ChooseExam):
        def examine(self, answer, criterion, draw):
            try:
                super().examine(answer, criterion, draw)
            except Finding as finding:
                raise Finding("no", share=finding.share) from None

    silent = Silent(exercise="choice", criteria=exam.criteria, options=options)
    assert str(audit_exam(silent, seeds=1).diagnosed) == "0/6"


def test_blank_answer_has_the_form_of_the_stub():
    with pytest.raises(NotImplementedError):
        blank_answer(GRAM)(torch.ones(2, 2))
    assert set(blank_answer(EXAMS["cross_attention_shapes"]).values()) == {...}
    assert blank_answer(EXAMS["not_additive"]) is ...


def test_audit_leaves_the_number_of_threads_as_it_was():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        few_seeds(GRAM)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_command_shows_the_table(course):
    code, printed = course("audit", "gram_attention", "--seeds", "7", "--mutants")
    assert code == 0, printed
    cells = printed.split("gram_attention")[1].splitlines()[0].split()
    assert cells[:2] == [f"{KNOWN}/{KNOWN}"] * 2
    assert cells[3] == "7/7"
    assert cells[-1] == "3/3"


def test_command_fails_for_a_weak_exam(course, monkeypatch):
    exam = EXAMS["scaled_dot_product_attention"]
    monkeypatch.setattr(
        "autograder.exams.EXAMS", EXAMS | {exam.exercise: dataclasses.replace(exam, criteria=exam.criteria[-1:])}
    )
    code, printed = course("audit", exam.exercise, "--seeds", "2", "--mutants")
    assert code == 1
    assert "✗ scaled_dot_product_attention: the misconception 'masking-ignored' loses no points" in printed
    assert "! scaled_dot_product_attention survives: line 14: `scores.softmax(-1)` → `scores`" in printed
    assert "of its mutants are caught, expected 95%" in printed


def test_command_wants_at_least_one_seed(course):
    assert course("audit", "--seeds", "0")[0] == 2
