"""Outer products of a batch, against torch.outer row by row."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.nn.outer import batched_outer


@given(st.integers(0, 3), st.integers(0, 4), st.integers(0, 5))
def test_batched_outer_is_outer_row_by_row(batch, n, m):
    a, b = torch.randn(batch, n), torch.randn(batch, m)
    got = batched_outer(a, b)
    assert got.shape == (batch, n, m)
    for row, x, y in zip(got, a, b, strict=True):
        assert torch.equal(row, torch.outer(x, y))
