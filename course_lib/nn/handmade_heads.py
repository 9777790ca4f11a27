"""Heads set by hand: attention that looks at positions alone can copy, shift and convolve."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

from course_lib.nn.attention import scaled_dot_product_attention

BETA = 1000.0  # so sharp that every weight is exactly 0 or 1


def identity_head(x: Float[Tensor, "*batch n d"]) -> Float[Tensor, "*batch n d"]:
    """y[i] = x[i]: each token looks at its own position."""
    return _head_at_offset(x, 0)


def shift_head(x: Float[Tensor, "*batch n d"]) -> Float[Tensor, "*batch n d"]:
    """y[i] = x[i − 1], y[0] = 0: each token looks at the position before its own."""
    return _head_at_offset(x, -1)


def convolution_head(
    x: Float[Tensor, "*batch n d"], kernel: Float[Tensor, "d_out d width"]
) -> Float[Tensor, "*batch n d_out"]:
    """y[i] = Σ_o kernel[:, :, o] x[i + o − width // 2]: one head for each offset, their outputs added.

    The numbers of F.conv1d with padding = width // 2, the width being odd.
    """
    width = kernel.shape[-1]
    if width % 2 == 0:
        raise ValueError(f"the width of the kernel must be odd, so that it has a middle, got {width}")
    heads = [_head_at_offset(x, o - width // 2) @ kernel[:, :, o].T for o in range(width)]
    return torch.stack(heads).sum(0)


def _head_at_offset(x: Tensor, offset: int) -> Tensor:
    """Attention whose query at i is the position i + offset, over x with rows of zeros on both sides."""
    n, border = x.shape[-2], abs(offset)
    places = torch.eye(n + 2 * border, device=x.device, dtype=x.dtype)
    start = border + offset
    queries = places[start : start + n] * BETA * math.sqrt(len(places))  # the root undoes 1/√d_k
    values = F.pad(x, (0, 0, border, border))
    lead = x.shape[:-2]
    return scaled_dot_product_attention(queries.expand(*lead, -1, -1), places.expand(*lead, -1, -1), values)[0]
