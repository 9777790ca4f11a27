"""Ladder exams: each rung is true at random points, and the first one that breaks is named."""

import json

import numpy as np
import pytest
import torch

from autograder.authoring.audit.audit import audit_exam
from autograder.exam_types import LadderExam, Rung, RungCriterion, Slip


def jacobian_entry(x, i, j):
    return torch.autograd.functional.jacobian(lambda z: z.softmax(0), x)[i, j]


def sums(x):
    return x.exp(), x.exp().sum()


def quotient_rule(x, i, j):
    e, s = sums(x)
    return (e[i] * (i == j) * s - e[i] * e[j]) / s**2


def divide(x, i, j):
    e, s = sums(x)
    return e[i] * (i == j) / s - e[i] / s * e[j] / s


def in_terms_of_y(x, i, j):
    y = x.softmax(0)
    return y[i] * (float(i == j) - y[j])


def plus_for_minus(x, i, j):
    e, s = sums(x)
    return (e[i] * (i == j) * s + e[i] * e[j]) / s**2


def not_squared(x, i, j):
    return quotient_rule(x, i, j) * sums(x)[1]


def factor_lost(x, i, j):
    return float(i == j) - x.softmax(0)[j]


def draw_point(draw):
    n = draw.sizes(1)[0] + 1
    i = int(draw.uniform(0, n))
    return [draw.normal(n, dtype=torch.float64), i, i if draw.uniform(0, 1) < 0.5 else (i + 1) % n]


NAMES = ("the quotient rule", "divide by the square", "write y")

derivative = LadderExam(
    exercise="softmax_derivative",
    rungs=(
        Rung(NAMES[0], quotient_rule, truth=jacobian_entry),
        Rung(NAMES[1], divide),
        Rung(NAMES[2], in_terms_of_y),
    ),
    draw=draw_point,
    criteria=tuple(RungCriterion(name, 1, name) for name in NAMES),
    slips=(
        Slip(NAMES[0], "plus", "The quotient rule has a minus: u′v − uv′.", plus_for_minus),
        Slip(NAMES[1], "not-squared", "You divide by the sum, not by its square.", not_squared),
        Slip(NAMES[2], "factor-lost", "You lost the factor y_i.", factor_lost),
    ),
    forbidden=("torch.autograd.grad",),
    accepted=(
        {"write y": in_terms_of_y, "the quotient rule": quotient_rule, "divide by the square": divide},
        (
            lambda x, i, j: float(quotient_rule(x, i, j)),
            lambda x, i, j: divide(x.float(), i, j),
            lambda z, a, b: in_terms_of_y(z, a, b).numpy(),
        ),
    ),
)


def measured_sum(d_k, sigma):
    return torch.full((), d_k * sigma**4, dtype=torch.float64)


variance = LadderExam(
    exercise="dot_product_variance",
    rungs=(
        Rung("one term", lambda d_k, sigma: sigma**2 * sigma**2, truth=lambda d_k, sigma: sigma**4),
        Rung("the sum", lambda d_k, sigma: d_k * sigma**4, truth=measured_sum),
        Rung("the sum, by a loop", lambda d_k, sigma: sum(sigma**4 for _ in range(d_k))),
    ),
    draw=lambda draw: [draw.sizes(1)[0], draw.uniform(0.5, 2)],
    criteria=(RungCriterion("one term", 1, "one term"), RungCriterion("the sum", 2, "the sum, by a loop")),
    slips=(Slip("one term", "sum", "The variance of a product is not the sum.", lambda d_k, sigma: 2 * sigma**2),),
    accepted=(
        [lambda d, s: np.float64(s) ** 4, measured_sum, lambda d, s: [d * s**4]],
        [lambda d, s: torch.tensor([s**4]), measured_sum, measured_sum],
    ),
)

BY_NAME = pytest.mark.parametrize("exam", [derivative, variance], ids=lambda exam: exam.exercise)


@BY_NAME
def test_the_answers_that_it_knows_are_graded_rightly_with_every_seed(exam):
    audit = audit_exam(exam, seeds=20)
    assert audit.sound, audit.problems


@BY_NAME
def test_slips_lose_the_points_of_their_rung_and_are_named(exam):
    for slip, misconception, seed in zip(exam.slips * 20, exam.misconceptions * 20, range(20), strict=False):
        verdict = exam.grade(misconception.answer, seed)
        lost = [c for c in verdict.criteria if not c.passed]
        assert [c.name for c in lost] == [slip.rung]
        assert verdict.diagnosis == slip.says, str(verdict)


def stub(*arguments):
    raise NotImplementedError


@pytest.mark.parametrize(
    "blank", [..., None, [..., ..., ...], (None, None, None), [stub] * 3, dict.fromkeys(NAMES, ...)]
)
def test_blank_ladders_get_nothing(blank, visible):
    verdict = derivative.grade(blank)
    assert verdict.score == 0
    assert not verdict.tried
    with pytest.raises(NotImplementedError, match="not written yet"):
        visible(derivative, blank)


def test_first_broken_rung_is_named_with_both_numbers():
    verdict = derivative.grade([quotient_rule, not_squared, lambda x, i, j: not_squared(x, i, j) * 1.0])
    first, second, third = verdict.criteria
    assert first.passed
    assert second.message.startswith("rung 2, ‘divide by the square’, no longer equals rung 1: at x = ")
    assert "it gives" in second.message
    assert "rung 1 gives" in second.message
    assert "breaks further down, at or before rung 2" in third.message


def test_first_rung_is_compared_with_what_is_asked():
    verdict = derivative.grade([lambda x, i, j: x[i], divide, in_terms_of_y])
    assert verdict.score == 2
    assert verdict.diagnosis.startswith("rung 1, ‘the quotient rule’, is not what is asked for: at x = ")


def test_partly_written_ladder_gets_its_part():
    verdict = derivative.grade([quotient_rule, divide, ...])
    assert verdict.score == 2
    assert verdict.tried
    assert "rung 3, ‘write y’, is not written yet" in verdict.diagnosis


def test_rung_may_be_wrong_at_one_case_only():
    diagonal_only = [lambda x, i, j: x.softmax(0)[i] * (1 - x.softmax(0)[j])] * 3
    assert all(derivative.grade(diagonal_only, seed).score < 3 for seed in range(5))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            "ladder",
            "should be a list of 3 functions, one for each of: the quotient rule, divide by",
        ),
        (quotient_rule, "but it is of type function"),
        ([quotient_rule, divide], "has 2 rungs, expected 3 functions"),
        ({"the quotient rule": quotient_rule}, "has no rung called 'divide by the square', 'write y'"),
        ([7, divide, in_terms_of_y], "should be a function, but it is of type int"),
        ([lambda x, i, j: 1 / 0, divide, in_terms_of_y], "raised ZeroDivisionError"),
        ([lambda x: x, divide, in_terms_of_y], "raised TypeError"),
        ([lambda x, i, j: None, divide, in_terms_of_y], "returned nothing"),
        ([lambda x, i, j: "0.3", divide, in_terms_of_y], "gives a str, expected a number"),
        ([lambda x, i, j: float("nan"), divide, in_terms_of_y], "not finite"),
        ([lambda x, i, j: 1j, divide, in_terms_of_y], "not real"),
    ],
)
def test_odd_answers_end_in_a_sentence(answer, sentence, visible):
    assert sentence in derivative.grade(answer).criteria[0].message
    assert sentence in visible(derivative, answer)


def test_wrong_shape_is_told():
    assert "it gives shape (" in derivative.grade([lambda x, i, j: x, divide, in_terms_of_y]).diagnosis


def test_rung_after_one_that_raises():
    verdict = derivative.grade([quotient_rule, lambda x, i, j: 1 / 0, lambda x, i, j: x.sum()])
    assert "rung 2 gives no value: mend that one first" in verdict.criteria[2].message


def test_forbidden_functions():
    def by_autograd(x, i, j):
        x.requires_grad_()
        return torch.autograd.grad(x.softmax(0)[i], x)[0][j]

    verdict = derivative.grade([by_autograd, divide, in_terms_of_y])
    assert "may not use torch.autograd.grad" in verdict.diagnosis
    assert verdict.score == 2


def test_visible_check_tries_one_point(visible):
    for exam in (derivative, variance):
        for answer in (exam.reference, *exam.accepted):
            assert visible(exam, answer).startswith(f"○ {exam.exercise}")
    text = visible(derivative, [factor_lost] * 3)
    assert "✗ rung 1, ‘the quotient rule’, has the value asked for" in text
    assert "✓ rung 2" in text
    text = visible(derivative, [quotient_rule, not_squared, not_squared])
    assert "✗ rung 2, ‘divide by the square’, equals rung 1" in text
    assert "does not equal rung 1: at x = [" in text
    assert "✓ rung 3" in text


def test_card_holds_a_point_and_the_values_that_begin_a_quantity():
    card = derivative.card()
    assert set(card) == {"kind", "rungs", "arguments", "values"}
    assert [value is None for value in card["values"]] == [False, True, True]
    assert list(card["arguments"]) == ["x", "i", "j"]
    json.dumps(card)


def test_ladder_needs_a_truth_to_start_from():
    with pytest.raises(ValueError, match="the first rung needs a truth"):
        LadderExam(exercise="loose", rungs=(Rung("a", divide),), draw=draw_point, criteria=())
