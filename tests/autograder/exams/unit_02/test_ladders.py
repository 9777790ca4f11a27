"""The ladders of unit 02 end at the truth: autograd's derivative, and the variance over every toss of coins."""

import math

import pytest
import torch

from autograder.exam_types.draw import Draw
from autograder.exams.unit_02.derivative import softmax_derivative
from autograder.exams.unit_02.variance import dot_product_variance


def slope(f, x, j):
    x = x.clone().requires_grad_()
    return torch.autograd.grad(f(x), x)[0][j]


@pytest.mark.parametrize(("i", "j"), [(1, 1), (1, 2), (0, 3)])
def test_with_symbols_that_belong_together_every_line_is_true(i, j):
    x, beta = torch.tensor([0.5, -1.0, 1.2, 0.1], dtype=torch.float64), 1.7
    e, s, y = x.exp(), x.exp().sum(), x.softmax(0)
    sharper = (beta * x).softmax(0)
    dy = slope(lambda z: z.softmax(0)[i], x, j)
    truth = {
        "u', i = j": slope(lambda z: z.exp()[i], x, j),
        "v'": slope(lambda z: z.exp().sum(), x, j),
        "numerator, i = j": dy * s**2,
        "quotient, i = j": dy,
        "in y, i = j": dy,
        "numerator, i ≠ j": dy * s**2,
        "in y, i ≠ j": dy,
        "softmax of beta x": slope(lambda z: (beta * z).softmax(0)[i], x, j),
    }
    for rung in softmax_derivative.rungs:
        asked = ("i = j" not in rung.name or i == j) and ("≠" not in rung.name or i != j)
        if asked:
            symbols = (e, s, sharper, i, j, beta) if "beta" in rung.name else (e, s, y, i, j)
            torch.testing.assert_close(torch.as_tensor(rung.line(*symbols)), truth[rung.name])


def test_the_line_for_beta_is_asked_in_both_cases():
    rung = softmax_derivative.rungs[-1]
    for seed in range(5):
        assert {i == j for *_, i, j, _beta in rung.draw(Draw(seed))} == {True, False}


@pytest.mark.parametrize("d_k", [1, 3, 6])
def test_the_variance_is_that_of_every_toss_of_coins(d_k):
    """Entries that are ±sigma by the toss of a coin."""
    sigma_q, sigma_k, coin = 0.5, 1.7, torch.tensor([-1.0, 1.0], dtype=torch.float64)
    signs = torch.cartesian_prod(*[coin] * d_k).reshape(2**d_k, d_k)
    scores = sigma_q * sigma_k * signs.sum(-1)
    truth = (
        (sigma_q * sigma_k * coin).mean(),
        (sigma_q * sigma_k * coin).var(correction=0),
        scores.var(correction=0),
        (scores / math.sqrt(d_k)).var(correction=0),
        scores.std(correction=0),
    )
    for rung, wanted in zip(dot_product_variance.rungs, truth, strict=True):
        got = rung.line(sigma_q, sigma_k, d_k, 4 * d_k)
        torch.testing.assert_close(torch.tensor(got, dtype=torch.float64), wanted)
