"""Experiment exams: measured numbers agree with a re-run within a stated tolerance."""

import json
from fractions import Fraction

import numpy as np
import pytest
import torch

from autograder.authoring.audit.audit import audit_exam
from autograder.exam_types import ExperimentExam, NumberCriterion
from autograder.exam_types.exam import Misconception

D_K = (4, 16, 64)
NAMES = tuple(map(str, D_K))


def measure(draw):
    return {str(d): (draw.normal(3_000, d) * draw.normal(3_000, d)).sum(-1).var().item() for d in D_K}


ROOT = "Your numbers are √d_k, the standard deviation: the variance is its square."
SCALED = "You measured the scores after dividing by √d_k, when their variance is 1."

variance = ExperimentExam(
    exercise="dot_product_variance",
    numbers=NAMES,
    truth=measure,
    criteria=(
        NumberCriterion("the smallest", 1, ("4",), relative=0.25),
        NumberCriterion("all together", 3, relative=0.25, hint="Are q and k drawn with variance 1?"),
    ),
    misconceptions=(
        Misconception("root", ROOT, {str(d): d**0.5 for d in D_K}),
        Misconception("scaled", SCALED, dict.fromkeys(NAMES, 1.0)),
        Misconception("last-doubled", "The last one is off by a factor of 2.", {"4": 4.0, "16": 16.0, "64": 128.0}),
    ),
    accepted=(
        [4.02, 16, 64.9],
        (np.float32(3.9), torch.tensor([16.3]), Fraction(63)),
        {4: 4.1, 16: np.int64(16), 64: torch.tensor(63.0), 256: 255.0},
        torch.tensor([4.0, 16.0, 64.0]),
        np.array([[4.0], [16.0], [64.0]]),
    ),
)

threshold = ExperimentExam(
    exercise="first_below",
    numbers=("a",),
    truth={"a": 7.6},
    criteria=(NumberCriterion("a", 2, absolute=0.05),),
    misconceptions=(Misconception("gradient", "You report the gradient, not the a at which it falls.", {"a": 0.001}),),
    accepted=(7.58, {"a": 7.62}, [7.6], torch.tensor([[7.6]]), np.float64(7.6)),
)

BY_NAME = pytest.mark.parametrize("exam", [variance, threshold], ids=lambda exam: exam.exercise)


@BY_NAME
def test_the_answers_that_it_knows_are_graded_rightly_with_every_seed(exam):
    audit = audit_exam(exam, seeds=20)
    assert audit.sound, audit.problems


@BY_NAME
def test_blank_answers_get_nothing(exam, visible):
    count = len(exam.numbers)
    for blank in (..., None, [...] * count, dict.fromkeys(exam.numbers, ...)):
        verdict = exam.grade(blank)
        assert verdict.score == 0
        assert not verdict.tried
        with pytest.raises(NotImplementedError, match="not filled in yet"):
            visible(exam, blank)


def test_finding_shows_the_number_the_range_and_the_hint():
    message = threshold.grade(7.9).criteria[0].message
    assert message == "a is 7.9, expected between 7.55 and 7.65"
    lines = variance.grade([4, 16, 90]).criteria[1].message.splitlines()
    assert lines[0].startswith("64 is 90, expected between 4")
    assert lines[1] == "Are q and k drawn with variance 1?"


def test_each_number_counts_for_itself():
    verdict = variance.grade([4, 99, 64])
    assert [criterion.score for criterion in verdict.criteria] == [1, 2]
    verdict = variance.grade([4, float("nan"), ...])
    assert [criterion.score for criterion in verdict.criteria] == [1, 1]
    assert verdict.tried


def test_exact_numbers_may_be_asked_for():
    exact = ExperimentExam(
        exercise="steps", numbers=("n",), truth={"n": 12}, criteria=(NumberCriterion("n", 1),), accepted=(12.0,)
    )
    assert exact.grade(12.0).score == 1
    assert exact.grade(12.001).diagnosis == "n is 12.001, expected 12"


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("4, 16, 64", "is the text '4, 16, 64', expected 3 numbers: 4, 16, 64"),
        ([4, 16], "has 2 entries, expected 3 numbers"),
        (torch.ones(4), "has 4 entries, expected 3 numbers"),
        (torch.ones(100, 100), "has shape (100, 100), expected 3 numbers"),
        (4.0, "is of type float, expected 3 numbers"),
        ({"4": 4}, "has no number for 16, 64"),
        (lambda: 4, "is of type function"),
        (["4", 16, 64], "4 is the text '4', expected a number"),
        ([True, 16, 64], "4 is of type bool, expected a number"),
        ([1j, 16, 64], "4 is of type complex, expected a number"),
        ([float("nan"), 16, 64], "4 is nan, expected a finite number"),
        ([float("-inf"), 16, 64], "4 is -inf, expected a finite number"),
        ([10**400, 16, 64], "4 is inf, expected a finite number"),
        ([torch.ones(2), 16, 64], "4 has shape (2,), expected one number"),
        ([np.array([]), 16, 64], "4 has shape (0,), expected one number"),
        ([torch.tensor(True), 16, 64], "4 is of type bool"),
    ],
)
def test_odd_answers_end_in_a_sentence(answer, sentence, visible):
    verdict = variance.grade(answer)
    assert verdict.score < variance.points
    assert all(sentence in criterion.message for criterion in verdict.criteria)
    assert sentence in visible(variance, answer)


def test_visible_check_looks_at_the_form_alone(visible):
    for exam in (variance, threshold):
        for answer in (exam.reference, *exam.accepted, *(m.answer for m in exam.misconceptions)):
            assert visible(exam, answer).startswith(f"○ {exam.exercise}")
    assert "first_below is nan, expected a finite number" in visible(threshold, float("nan"))


def test_card_holds_no_number():
    assert json.dumps(threshold.card()) == '{"kind": "experiment", "numbers": ["a"], "between": null}'
