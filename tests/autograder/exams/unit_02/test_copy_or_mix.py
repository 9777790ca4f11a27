"""Attention by a factor on the query: any factor in the range passes, and numbers that no factor gives do not."""

import pytest
import torch

from autograder.exams.unit_02.copy_or_mix import dilute, preserve


def with_weights(make):
    def answer(values, keys, query, beta):
        weights = make(beta * keys @ query)
        return weights @ values, weights

    return answer


def sharp_enough(share):
    """The factor that gives the winner this share."""

    def make(scores):
        low, high = 1.0, 1e4
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if (middle * scores).softmax(0).max() < share else (low, middle)
        return (high * scores).softmax(0)

    return with_weights(make)


@pytest.mark.parametrize("share", [0.9901, 0.995, 0.99989])
def test_any_factor_in_the_range_passes(share):
    assert all(preserve.grade(sharp_enough(share), seed).score == 2 for seed in range(5))


@pytest.mark.parametrize("share", [0.95, 0.9895, 0.99995])
def test_a_winner_outside_the_range_does_not(share):
    verdict = preserve.grade(sharp_enough(share))
    assert verdict.score == 0
    assert ", expected between 0.99 and 0.9999" in verdict.criteria[0].message


def test_weights_of_no_factor_do_not():
    def only_the_winner(scores):
        losers = torch.full_like(scores, 0.005 / (len(scores) - 1))
        losers[scores.argmax()] = 0.995
        return losers

    verdict = preserve.grade(with_weights(only_the_winner))
    assert "the factor on the scores of all keys is between" in verdict.criteria[0].message


def test_the_output_must_be_made_of_the_weights():
    verdict = preserve.grade(lambda v, k, q, b: (v[(k @ q).argmax()], preserve.function(v, k, q, b)[1]))
    assert "output - weights @ values" in verdict.criteria[0].message


@pytest.mark.parametrize("exam", [preserve, dilute], ids=lambda exam: exam.exercise)
@pytest.mark.parametrize("answer", [lambda v, k, q, b: v.mean(0), lambda v, k, q, b: v[(k @ q).argmax()]])
def test_slicing_earns_nothing(exam, answer):
    assert exam.grade(answer).score == 0


def test_nearly_equal_weights_are_equal():
    assert dilute.grade(with_weights(lambda scores: (1e-4 * scores).softmax(0))).score == 2
    assert dilute.grade(with_weights(lambda scores: (0.1 * scores).softmax(0))).score == 0
