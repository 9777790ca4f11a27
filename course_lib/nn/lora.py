"""LoRA (Hu et al., 2022, arXiv:2106.09685): add a trainable low-rank update B A to a frozen linear layer."""

import copy

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LoRALinear(nn.Module):
    """base(x) + x Aᵀ Bᵀ, with A (rank, in) and B (out, rank); the base is frozen and B starts at zero."""

    def __init__(self, base: nn.Linear, rank: int):
        super().__init__()
        if not 1 <= rank <= min(base.weight.shape):
            raise ValueError(f"rank must lie between 1 and {min(base.weight.shape)}, got {rank}")
        self.base = base.requires_grad_(False)
        self.a = nn.Parameter(torch.randn_like(base.weight[:rank]) / base.in_features**0.5)
        self.b = nn.Parameter(torch.zeros_like(base.weight[:, :rank]))

    def forward(self, x: Float[Tensor, "*batch d_in"]) -> Float[Tensor, "*batch d_out"]:
        return self.base(x) + x @ self.a.T @ self.b.T

    def merge(self) -> nn.Linear:
        """One linear layer with the same numbers: W + B A."""
        merged = copy.deepcopy(self.base)
        with torch.no_grad():
            merged.weight += self.b @ self.a
        return merged
