"""Learned positions, as in BERT, GPT and ViT: one trained row for each position, and none beyond the last.

BERT: Devlin et al., 2019, arXiv:1810.04805.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """x + table[:n], where the table is trained like any other weight."""

    def __init__(self, max_len: int, d_model: int):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_len, d_model) * 0.1)

    def forward(self, x: Float[Tensor, "batch n d_model"]) -> Float[Tensor, "batch n d_model"]:
        n, max_len = x.shape[1], len(self.table)
        if n > max_len:
            raise ValueError(f"a sequence of length {n} is longer than max_len = {max_len}: no row was learned")
        return x + self.table[:n]
