"""The reference against PyTorch's own attention and slow loops."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.attention import (
    attention_matrix,
    column_attention,
    cross_attention,
    gram_attention,
    scaled_dot_product_attention,
)

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-12}


def close(a, b):
    torch.testing.assert_close(a, b, rtol=TOLERANCE[a.dtype], atol=TOLERANCE[a.dtype])


def attention_inputs(leading, n_q, n_k, d_k, d_v, dtype=torch.float64, seed=0):
    g = torch.Generator().manual_seed(seed)
    shapes = [(*leading, n_q, d_k), (*leading, n_k, d_k), (*leading, n_k, d_v)]
    return [torch.randn(shape, generator=g, dtype=dtype).requires_grad_() for shape in shapes]


@settings(max_examples=60, deadline=None)
@given(
    leading=st.lists(st.integers(0, 3), max_size=3),
    n_q=st.integers(1, 7),
    n_k=st.integers(1, 7),
    d_k=st.integers(1, 9),
    d_v=st.integers(1, 9),
    dtype=st.sampled_from([torch.float32, torch.float64]),
    masked=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_equals_torch_forward_and_backward(leading, n_q, n_k, d_k, d_v, dtype, masked, seed):
    q, k, v = attention_inputs(leading, n_q, n_k, d_k, d_v, dtype, seed)
    mask = None
    if masked:
        mask = torch.rand(n_q, n_k, generator=torch.Generator().manual_seed(seed)) < 0.4
        mask[:, 0] = False
    ours, weights = scaled_dot_product_attention(q, k, v, mask)
    theirs = F.scaled_dot_product_attention(q, k, v, None if mask is None else ~mask)
    close(ours, theirs)
    close(weights.sum(-1), torch.ones_like(weights.sum(-1)))
    for mine, torchs in zip(
        torch.autograd.grad(ours.sum(), (q, k, v)), torch.autograd.grad(theirs.sum(), (q, k, v)), strict=True
    ):
        close(mine, torchs)


def test_blocked_row_is_zero_with_finite_gradients():
    q, k, v = attention_inputs((2,), 3, 4, 5, 6)
    mask = torch.zeros(3, 4, dtype=torch.bool)
    mask[1] = True
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    assert not weights[:, 1].any()
    assert not output[:, 1].any()
    assert weights[:, 0].all()
    for gradient in torch.autograd.grad(output.sum() + weights.square().sum(), (q, k, v)):
        assert gradient.isfinite().all()


def test_blocked_key_changes_nothing():
    q, k, v = attention_inputs((), 3, 4, 5, 6)
    mask = torch.tensor([False, False, True, False])
    output, weights = scaled_dot_product_attention(q, k, v, mask)
    k2, v2 = k.detach().clone(), v.detach().clone()
    k2[2], v2[2] = 100.0, -100.0
    close(scaled_dot_product_attention(q, k2, v2, mask)[0], output)
    assert not weights[:, 2].any()


@pytest.mark.parametrize("shape", [(3, 5), (2, 3, 3, 4), (5,)])
def test_mask_that_does_not_broadcast_is_named(shape):
    q, k, v = attention_inputs((2,), 3, 4, 5, 6)
    with pytest.raises(ValueError, match="does not broadcast") as error:
        scaled_dot_product_attention(q, k, v, torch.zeros(shape, dtype=torch.bool))
    assert str(shape) in str(error.value)
    assert "(2, 3, 4)" in str(error.value)


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
            close(weights[b, i], torch.tensor(want, dtype=torch.float64))
            close(output[b, i], sum(w * (x_src[b, j] @ w_v) for j, w in enumerate(want)))


def test_columns_are_rows_transposed():
    q, k, v = attention_inputs((), 3, 4, 5, 6)
    close(column_attention(q.T, k.T, v.T, 1 / math.sqrt(5)).T, F.scaled_dot_product_attention(q, k, v))


def test_gram_attention_by_loop():
    X = torch.randn(3, 4, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    close(gram_attention(X), torch.stack([sum((x @ y) * y for y in X) for x in X]))


def test_attention_matrix_mixes_values():
    g = torch.Generator().manual_seed(3)
    X, w_q, w_k, w_v = (torch.randn(s, generator=g, dtype=torch.float64) for s in [(3, 4), (4, 5), (4, 5), (4, 6)])
    close(attention_matrix(X, w_q, w_k) @ X @ w_v, F.scaled_dot_product_attention(X @ w_q, X @ w_k, X @ w_v))


def test_permuting_the_source_permutes_weights_only():
    g = torch.Generator().manual_seed(4)
    x_tgt, x_src = (torch.randn(2, n, 5, generator=g, dtype=torch.float64) for n in (3, 4))
    w_q, w_k, w_v = (torch.randn(5, d, generator=g, dtype=torch.float64) for d in (6, 6, 7))
    order = torch.tensor([2, 0, 3, 1])
    output, weights = cross_attention(x_tgt, x_src, w_q, w_k, w_v)
    output2, weights2 = cross_attention(x_tgt, x_src[:, order], w_q, w_k, w_v)
    close(output, output2)
    close(weights[..., order], weights2)
