"""Masks, against loops over queries and keys; and a softmax that survives a blocked row."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.nn.masks import (
    combine_masks,
    create_look_ahead_mask,
    create_padding_mask,
    safe_masked_softmax,
    streaming_mask,
)


@given(st.integers(0, 7), st.integers(0, 8))
def test_look_ahead_and_streaming_by_loop(n, lookback):
    ahead, stream = create_look_ahead_mask(n), streaming_mask(n, lookback)
    assert ahead.shape == stream.shape == (1, 1, n, n)
    assert ahead.dtype == stream.dtype == torch.bool
    for i in range(n):
        for j in range(n):
            assert ahead[0, 0, i, j] == (j > i)
            assert stream[0, 0, i, j] == (not i - lookback <= j <= i)


def test_padding_mask():
    mask = create_padding_mask(torch.tensor([[5, 9, 0], [0, 0, 7]]), pad_id=0)
    assert mask.tolist() == [[[[False, False, True]]], [[[True, True, False]]]]
    assert create_padding_mask(torch.zeros(0, 3, dtype=torch.long), 0).shape == (0, 1, 1, 3)


def test_combined_masks_block_where_any_does():
    ahead = create_look_ahead_mask(3)
    padding = create_padding_mask(torch.tensor([[1, 1, 1], [1, 2, 1]]), pad_id=2)
    both = combine_masks(None, ahead, None, padding)
    assert both.shape == (2, 1, 3, 3)
    for b in range(2):
        for i in range(3):
            for j in range(3):
                assert both[b, 0, i, j] == (j > i or (b == 1 and j == 1))
    assert combine_masks() is None
    assert combine_masks(None, None) is None
    assert torch.equal(combine_masks(ahead), ahead)


@given(st.integers(1, 4), st.integers(1, 5), st.sampled_from([1.0, 1000.0]), st.integers(0, 99))
def test_safe_softmax_row_by_row(rows, n, scale, seed):
    torch.manual_seed(seed)
    scores = (torch.rand(rows, n, dtype=torch.float64) * 2 - 1) * scale
    mask = torch.rand(rows, n) < 0.5
    got = safe_masked_softmax(scores, mask)
    for i in range(rows):
        assert torch.equal(got[i, mask[i]], torch.zeros(int(mask[i].sum()), dtype=torch.float64))
        torch.testing.assert_close(got[i, ~mask[i]], scores[i, ~mask[i]].softmax(-1))
    torch.testing.assert_close(safe_masked_softmax(scores), scores.softmax(-1))


def test_safe_softmax_runs_over_the_last_of_four_dimensions():
    scores, mask = torch.randn(2, 3, 4, 5), create_look_ahead_mask(5)[..., :4, :]
    wanted = scores.masked_fill(mask, -torch.inf).softmax(-1)
    torch.testing.assert_close(safe_masked_softmax(scores, mask), wanted)
    torch.testing.assert_close(safe_masked_softmax(scores), scores.softmax(-1))


@pytest.mark.parametrize("low", [torch.float16, torch.float32])
def test_gradients_of_blocked_rows_are_zero_and_finite(low):
    scores = torch.tensor([[1000.0, -1000.0, 3.0]] * 2, dtype=low, requires_grad=True)
    weights = safe_masked_softmax(scores, torch.tensor([[True] * 3, [True, False, False]]))
    (weights * torch.tensor([1.0, 2.0, 3.0], dtype=low)).sum().backward()
    assert weights[0].eq(0).all()
    assert weights[1].tolist() == [0, 0, 1]
    assert scores.grad.isfinite().all()
    assert scores.grad[0].eq(0).all()
