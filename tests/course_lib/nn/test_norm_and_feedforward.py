"""Layer normalisation and the feed-forward network: PyTorch's numbers, one token at a time."""

import pytest
import torch
from builders.torch_weights import assert_close, assert_same_gradients, carry_over
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.nn.equivariance import is_permutation_equivariant
from course_lib.nn.feedforward import FeedForward
from course_lib.nn.norm import LayerNorm


@given(
    st.lists(st.integers(0, 4), max_size=3),
    st.integers(1, 9),
    st.sampled_from([1e-5, 0.1]),
    st.integers(0, 9),
)
def test_layer_norm_is_torchs(lead, d, eps, seed):
    torch.manual_seed(seed)
    ours, theirs = LayerNorm(d, eps).double(), nn.LayerNorm(d, eps, dtype=torch.float64)
    carry_over(ours, theirs)
    x = torch.randn(*lead, d, dtype=torch.float64, requires_grad=True)
    y = x.detach().clone().requires_grad_()
    pull = torch.randn_like(x)
    (ours(x) * pull).sum().backward()
    (theirs(y) * pull).sum().backward()
    torch.testing.assert_close(ours(x), theirs(y))
    torch.testing.assert_close(x.grad, y.grad, atol=1e-9, rtol=1e-7)
    assert_same_gradients(ours, theirs)


def test_layer_norm_starts_neutral_and_is_exact_far_from_zero(dtype):
    x = torch.randn(4, 6, dtype=dtype) + 100
    assert_close(LayerNorm(6).to(dtype)(x), nn.LayerNorm(6, dtype=dtype)(x))


def test_padding_changes_batch_statistics_but_not_layer_norm():
    x = torch.randn(3, 5, 4)
    padded = torch.cat([x, torch.zeros(3, 2, 4)], 1)
    torch.testing.assert_close(LayerNorm(4)(padded)[:, :5], LayerNorm(4)(x))
    batch_norm = nn.BatchNorm1d(4)
    assert not torch.allclose(batch_norm(padded.mT).mT[:, :5], batch_norm(x.mT).mT, atol=1e-3)


def test_feed_forward_is_two_layers_with_a_relu(dtype):
    module = FeedForward(5, 7).to(dtype)
    theirs = nn.Sequential(module.expand, nn.ReLU(), module.contract)
    x = torch.randn(2, 3, 5, dtype=dtype)
    assert_close(module(x), theirs(x))
    assert module(torch.zeros(0, 3, 5, dtype=dtype)).shape == (0, 3, 5)


def test_feed_forward_sees_each_token_alone():
    module = FeedForward(5, 7)
    x = torch.randn(2, 4, 5, requires_grad=True)
    assert is_permutation_equivariant(module, x, torch.tensor([3, 1, 0, 2]))
    module(x)[:, 1].sum().backward()
    assert x.grad[:, [0, 2, 3]].eq(0).all()
    assert x.grad[:, 1].abs().sum() > 0


@pytest.mark.parametrize(("training", "expected"), [(True, True), (False, False)])
def test_dropout_acts_on_the_hidden_layer_in_training_only(training, expected):
    module = FeedForward(5, 64, dropout=0.5).train(training)
    x = torch.randn(1, 1, 5)
    assert (not torch.equal(module(x), module(x))) is expected
