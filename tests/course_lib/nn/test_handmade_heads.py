"""Heads set by hand do what they are named after, with any leading dimensions."""

import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.nn.handmade_heads import convolution_head, identity_head, shift_head

size = st.integers(1, 6)
lead = st.lists(st.integers(0, 2), max_size=2)


def output(head):
    q, k, v = head
    return scaled_dot_product_attention(q.expand(*v.shape[:-2], *q.shape), k.expand(*v.shape[:-2], *k.shape), v)[0]


@given(lead, size, size)
def test_copy_and_shift(lead, n, d):
    x = torch.randn(*lead, n, d)
    assert torch.equal(output(identity_head(x)), x)
    wanted = torch.zeros_like(x)
    wanted[..., 1:, :] = x[..., :-1, :]
    assert torch.equal(output(shift_head(x)), wanted)


@given(size, size, size, size)
def test_convolution(batch, n, d, d_out):
    x, kernel = torch.randn(batch, n, d).double(), torch.randn(d_out, d, 3).double()
    wanted = F.conv1d(x.mT, kernel, padding=1).mT
    torch.testing.assert_close(sum(map(output, convolution_head(x, kernel))), wanted)
    torch.testing.assert_close(sum(map(output, convolution_head(x[0], kernel))), wanted[0])
