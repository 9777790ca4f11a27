"""Attention has the numbers of PyTorch's and of slow loops, and what follows from its formula."""

import math

import pytest
import torch
import torch.nn.functional as F
from builders.torch_weights import assert_close
from hypothesis import given
from hypothesis import strategies as st

from course_lib.nn.attention import (
    attention_matrix,
    column_attention,
    cross_attention,
    gram_attention,
    scaled_dot_product_attention,
)

size = st.integers(1, 6)


def tensors(lead, n_q, n_k, d_k, d_v, dtype=torch.float64):
    shapes = [(*lead, n_q, d_k), (*lead, n_k, d_k), (*lead, n_k, d_v)]
    return [torch.randn(shape, dtype=dtype, requires_grad=True) for shape in shapes]


def open_mask(*shape):
    """A random mask that leaves at least one key open for each query."""
    mask = torch.rand(shape) < 0.5
    return mask.scatter(-1, torch.randint(shape[-1], (*shape[:-1], 1)), False)


@given(st.lists(st.integers(0, 3), max_size=3), size, size, size, size, st.booleans(), st.integers(0, 99))
def test_values_and_gradients_are_torchs(lead, n_q, n_k, d_k, d_v, masked, seed):
    torch.manual_seed(seed)
    ours = tensors(lead, n_q, n_k, d_k, d_v)
    theirs = [x.detach().clone().requires_grad_() for x in ours]
    mask = open_mask(n_q, n_k) if masked else None
    output, _ = scaled_dot_product_attention(*ours, mask)
    wanted = F.scaled_dot_product_attention(*theirs, attn_mask=None if mask is None else ~mask)
    pull = torch.randn_like(wanted)
    (output * pull).sum().backward()
    (wanted * pull).sum().backward()
    torch.testing.assert_close(output, wanted)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine.grad, other.grad)


def test_float32_and_float64(dtype):
    q, k, v = tensors((2, 3), 4, 5, 6, 7, dtype)
    mask = open_mask(2, 1, 4, 5)
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    assert_close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=~mask))
    assert_close(weights.sum(-1), torch.ones(2, 3, 4, dtype=dtype))


@pytest.mark.parametrize("low", [torch.float16, torch.bfloat16])
def test_low_precision_stays_finite(low):
    q, k, v = (x.detach().to(low) for x in tensors((2,), 3, 4, 5, 6))
    mask = torch.ones(3, 4, dtype=torch.bool).triu(1)
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    assert output.dtype == weights.dtype == low
    assert output.isfinite().all()
    assert weights.float().sum(-1).sub(1).abs().max() < 0.02


def test_blocked_rows_are_zero_with_finite_gradients():
    q, k, v = tensors((2,), 3, 4, 5, 6)
    mask = torch.zeros(2, 3, 4, dtype=torch.bool)
    mask[0, 1] = True
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    (output.sum() + weights.square().sum()).backward()
    assert not output[0, 1].any()
    assert not weights[0, 1].any()
    assert all(x.grad.isfinite().all() for x in (q, k, v))
    assert not q.grad[0, 1].any()
    assert q.grad[0, 0].any()


@pytest.mark.parametrize("shape", [(2, 4, 3), (3, 5), (2, 3, 3, 4), (5,)])
def test_a_mask_that_does_not_broadcast_is_refused(shape):
    q, k, v = tensors((2,), 3, 4, 5, 6)
    with pytest.raises(ValueError, match="does not broadcast") as error:
        scaled_dot_product_attention(q, k, v, torch.zeros(shape, dtype=torch.bool))
    assert str(shape) in str(error.value)
    assert "(2, 3, 4)" in str(error.value)


def test_blocked_key_changes_nothing():
    q, k, v = tensors((), 3, 4, 5, 6)
    mask = torch.tensor([False, False, True, False])
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    k2, v2 = k.detach().clone(), v.detach().clone()
    k2[2], v2[2] = 100.0, -100.0
    assert_close(scaled_dot_product_attention(q, k2, v2, mask)[0], output)
    assert not weights[:, 2].any()


def test_cross_attention_by_loop():
    g = torch.Generator().manual_seed(1)
    x_tgt, x_src = (torch.randn(2, n, 5, generator=g, dtype=torch.float64) for n in (3, 4))
    w_q, w_k, w_v = (torch.randn(5, d, generator=g, dtype=torch.float64) for d in (6, 6, 7))
    output, weights = cross_attention(x_tgt, x_src, w_q, w_k, w_v)
    for b in range(2):
        for i in range(3):
            scores = [(x_tgt[b, i] @ w_q) @ (x_src[b, j] @ w_k) / math.sqrt(6) for j in range(4)]
            total = sum(math.exp(s) for s in scores)
            want = [math.exp(s) / total for s in scores]
            assert_close(weights[b, i], torch.tensor(want, dtype=torch.float64))
            assert_close(output[b, i], sum(w * (x_src[b, j] @ w_v) for j, w in enumerate(want)))


def test_columns_are_rows_transposed():
    q, k, v = tensors((), 3, 4, 5, 6)
    assert_close(column_attention(q.T, k.T, v.T, 1 / math.sqrt(5)).T, F.scaled_dot_product_attention(q, k, v))


def test_gram_attention_by_loop():
    X = torch.randn(3, 4, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    assert_close(gram_attention(X), torch.stack([sum((x @ y) * y for y in X) for x in X]))


def test_attention_matrix_mixes_values():
    g = torch.Generator().manual_seed(3)
    X, w_q, w_k, w_v = (torch.randn(s, generator=g, dtype=torch.float64) for s in [(3, 4), (4, 5), (4, 5), (4, 6)])
    assert_close(attention_matrix(X, w_q, w_k) @ X @ w_v, F.scaled_dot_product_attention(X @ w_q, X @ w_k, X @ w_v))


def test_permuting_the_source_permutes_weights_only():
    g = torch.Generator().manual_seed(4)
    x_tgt, x_src = (torch.randn(2, n, 5, generator=g, dtype=torch.float64) for n in (3, 4))
    w_q, w_k, w_v = (torch.randn(5, d, generator=g, dtype=torch.float64) for d in (6, 6, 7))
    order = torch.tensor([2, 0, 3, 1])
    output, weights = cross_attention(x_tgt, x_src, w_q, w_k, w_v)
    output2, weights2 = cross_attention(x_tgt, x_src[:, order], w_q, w_k, w_v)
    assert_close(output, output2)
    assert_close(weights[..., order], weights2)
