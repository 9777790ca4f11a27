"""Scaled dot-product attention has the numbers of PyTorch's, and what follows from the formula."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch_weights import assert_close

from course_lib.attention import scaled_dot_product_attention

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


def test_a_mask_that_does_not_broadcast_is_refused():
    q, k, v = tensors((2,), 3, 4, 5, 6)
    with pytest.raises(ValueError, match=r"\(2, 4, 3\).*\(2, 3, 4\)"):
        scaled_dot_product_attention(q, k, v, torch.zeros(2, 4, 3, dtype=torch.bool))
