"""Softmax, its Jacobian and its sharpness, against torch.softmax and autograd."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.nn.softmax import (
    beta_for_sharpness,
    dilute,
    preserve,
    saturation,
    scaled_weights,
    softargmax,
    softmax,
    softmax_jacobian,
)

scores = st.lists(st.floats(-1000, 1000), min_size=1, max_size=7).map(
    lambda values: torch.tensor(values, dtype=torch.float64)
)


@given(scores)
def test_softmax_is_torchs_up_to_a_thousand(x):
    torch.testing.assert_close(softmax(x, 0), x.softmax(0))
    low = x.float()
    torch.testing.assert_close(softmax(low, -1), low.softmax(-1))


@pytest.mark.parametrize("dim", [0, 1, 2, -1])
def test_softmax_runs_along_the_dimension_asked_for(dim):
    x = torch.randn(3, 4, 5)
    torch.testing.assert_close(softmax(x, dim), x.softmax(dim))


def test_softmax_of_an_empty_batch():
    assert softmax(torch.zeros(0, 3), -1).shape == (0, 3)


@given(scores)
def test_jacobian_is_autograds(x):
    wanted = torch.autograd.functional.jacobian(lambda y: y.softmax(-1), x)
    torch.testing.assert_close(softmax_jacobian(x), wanted)


def test_scaled_weights_are_those_of_torchs_attention():
    q, k = torch.randn(2, 3, 7), torch.randn(2, 5, 7)
    by_torch = torch.nn.functional.scaled_dot_product_attention(q, k, torch.eye(5).expand(2, 5, 5))
    torch.testing.assert_close(scaled_weights(q, k), by_torch)


@pytest.mark.parametrize("a", [-3.0, -0.5, 0.0, 1.0, 5.0, 20.0])
def test_saturation_is_autograds(a):
    x = torch.tensor([a, a, 2 * a], dtype=torch.float64, requires_grad=True)
    y = x.softmax(0)
    best = int(y.argmax())
    (gradient,) = torch.autograd.grad(y[best], x)
    largest, slope = saturation(a)
    assert largest == pytest.approx(y[best].item())
    assert slope == pytest.approx(gradient[best].item(), rel=1e-6)


def test_the_gradient_does_not_round_to_zero_before_it_must():
    assert saturation(100.0)[1] == pytest.approx(2 * math.exp(-100), rel=1e-9)


@given(scores, st.floats(0, 50))
def test_softargmax_is_softmax_of_scaled_scores(x, beta):
    torch.testing.assert_close(softargmax(x, beta), (beta * x).softmax(-1))


def test_softargmax_limits():
    x = torch.tensor([[1.0, 3.0], [2.0, 1.0]])
    torch.testing.assert_close(softargmax(x, 1e6), torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
    torch.testing.assert_close(softargmax(x, 1e6, dim=0), torch.tensor([[0.0, 1.0], [1.0, 0.0]]))
    torch.testing.assert_close(softargmax(x, 0.0), torch.full((2, 2), 0.5))


@given(st.integers(2, 6), st.floats(0.01, 0.99), st.integers(0, 99))
def test_beta_gives_the_winner_its_weight(n, share, seed):
    torch.manual_seed(seed)
    x = torch.randn(n, dtype=torch.float64) * 3
    p = 1 / n + share * (1 - 1 / n)
    beta = beta_for_sharpness(x, p)
    assert beta >= 0
    assert (beta * x).softmax(0).max().item() == pytest.approx(p, abs=1e-9)


@pytest.mark.parametrize(("x", "p"), [([1.0, 1.0], 0.9), ([2.0], 0.9), ([1.0, 2.0], 1.0), ([1.0, 2.0, 0.0], 0.2)])
def test_impossible_sharpness_is_refused(x, p):
    with pytest.raises(ValueError, match=r"winner"):
        beta_for_sharpness(torch.tensor(x), p)


def test_preserve_copies_the_value_of_the_best_key_and_dilute_takes_the_mean():
    values, keys, query = torch.randn(5, 3), torch.randn(5, 4), torch.randn(4)
    best = int((keys @ query).argmax())
    output, weights = preserve(values, keys, query, 0.5)
    torch.testing.assert_close(output, values[best], atol=1e-2, rtol=0)
    torch.testing.assert_close(weights[best], torch.tensor(0.999), atol=1e-5, rtol=0)
    torch.testing.assert_close(output, weights @ values)
    output, weights = dilute(values, keys, query, 0.5)
    torch.testing.assert_close(output, values.mean(0))
    torch.testing.assert_close(weights, torch.full((5,), 0.2))
