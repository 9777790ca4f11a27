"""Rotary positions: queries and keys turn with their position, so scores depend on offsets alone.

RoFormer: Su et al., 2021, arXiv:2104.09864.
"""

import torch
from jaxtyping import Float, Real
from torch import Tensor


def rotate(x: Float[Tensor, "*batch n d"], positions: Real[Tensor, "n"]) -> Float[Tensor, "*batch n d"]:
    """Turn each pair (x_2i, x_2i+1) by the angle positions · w_i, with w_i = 10000^(−2i/d)."""
    d = x.shape[-1]
    if d % 2:
        raise ValueError(f"the width must be even, so that features come in pairs, got {d}")
    exact = torch.promote_types(x.dtype, torch.float32)  # half precision cannot hold the angle of a far position
    frequencies = 10000.0 ** (-torch.arange(0, d, 2, device=x.device, dtype=exact) / d)
    angles = torch.outer(positions.to(x.device, exact), frequencies)  # (n, d / 2)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)
