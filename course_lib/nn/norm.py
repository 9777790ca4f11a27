"""Layer normalization: each token is centered and scaled by its own mean and variance, nobody else's.

Ba, Kiros and Hinton, 2016, arXiv:1607.06450.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """gain · (x − mean) / √(variance + eps) + shift, over the last dimension, with the biased variance."""

    def __init__(self, d: int, eps: float = 1e-5):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d))
        self.shift = nn.Parameter(torch.zeros(d))
        self.eps = eps

    def forward(self, x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d"]:
        centered = x - x.mean(-1, keepdim=True)
        variance = centered.square().mean(-1, keepdim=True)
        return self.gain * (centered * (variance + self.eps).rsqrt()) + self.shift
