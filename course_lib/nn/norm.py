"""Layer normalisation: each token is centred and scaled by its own mean and variance, nobody else's."""

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
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)
        return self.gain * (centred * (variance + self.eps).rsqrt()) + self.shift
