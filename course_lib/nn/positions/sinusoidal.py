"""Sinusoidal positions: each pair of features is a clock. Vaswani et al., 2017, arXiv:1706.03762, section 3.5."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


def sinusoidal_encoding(max_len: int, d_model: int, base: float = 10000.0) -> Float[Tensor, "{max_len} {d_model}"]:
    """PE[pos, 2i] = sin(pos w_i), PE[pos, 2i+1] = cos(pos w_i) with w_i = base^(−2i/d_model).

    With an odd d_model the last column is a sine without its cosine.
    """
    # float64 inside: at position 5000 a float32 angle is wrong in the fourth digit.
    positions = torch.arange(max_len, dtype=torch.float64)
    angles = torch.outer(positions, _frequencies(d_model, base))  # (max_len, ceil(d_model / 2))
    pairs = torch.stack([angles.sin(), angles.cos()], -1).flatten(1)
    return pairs[:, :d_model].to(torch.get_default_dtype())


class PositionalEncoding(nn.Module):
    """x + PE[:n]: adds to each token the encoding of its place."""

    pe: Tensor

    def __init__(self, d_model: int, max_len: int = 5000):
        super().__init__()
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x: Float[Tensor, "batch n d_model"], start: int = 0) -> Float[Tensor, "batch n d_model"]:
        """The first token of x stands at position `start`: 0, or later when a text is read piece by piece."""
        end, max_len = start + x.shape[1], self.pe.shape[1]
        if end > max_len:
            raise ValueError(f"a sequence of length {end} is longer than max_len = {max_len}")
        return x + self.pe[:, start:end].to(x.dtype)


def shift_matrix(k: int, d_model: int) -> Float[Tensor, "{d_model} {d_model}"]:
    """M_k with M_k PE[pos] = PE[pos + k] for every pos: each pair of features turns by the angle k w_i.

    sin(a + b) = cos(b) sin(a) + sin(b) cos(a) and cos(a + b) = −sin(b) sin(a) + cos(b) cos(a).
    """
    if d_model % 2:
        raise ValueError(f"d_model must be even, so that every sine has its cosine, got {d_model}")
    angles = k * _frequencies(d_model, 10000.0)
    sin, cos = angles.sin(), angles.cos()
    turns = torch.stack([torch.stack([cos, sin], -1), torch.stack([-sin, cos], -1)], -2)  # (d_model / 2, 2, 2)
    return torch.block_diag(*turns).to(torch.get_default_dtype())


def _frequencies(d_model: int, base: float) -> Float[Tensor, "pairs"]:
    return base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
