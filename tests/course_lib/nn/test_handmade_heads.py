"""Heads set by hand do what they are named after, with any leading dimensions."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_lib.nn.handmade_heads import convolution_head, identity_head, shift_head

size = st.integers(1, 6)
lead = st.lists(st.integers(0, 2), max_size=2)


@given(lead, size, size)
def test_copy_and_shift(lead, n, d):
    x = torch.randn(*lead, n, d)
    assert torch.equal(identity_head(x), x)
    wanted = torch.zeros_like(x)
    wanted[..., 1:, :] = x[..., :-1, :]
    assert torch.equal(shift_head(x), wanted)


@given(size, size, size, size, st.sampled_from([1, 3, 5]))
def test_convolution(batch, n, d, d_out, width):
    x, kernel = torch.randn(batch, n, d).double(), torch.randn(d_out, d, width).double()
    wanted = F.conv1d(x.mT, kernel, padding=width // 2).mT
    torch.testing.assert_close(convolution_head(x, kernel), wanted)
    torch.testing.assert_close(convolution_head(x[0], kernel), wanted[0])


def test_a_kernel_without_a_middle_is_refused():
    with pytest.raises(ValueError, match=r"odd.*2"):
        convolution_head(torch.zeros(3, 4), torch.zeros(5, 4, 2))
