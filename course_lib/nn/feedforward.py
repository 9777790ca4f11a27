"""The position-wise feed-forward network: the same two-layer network applied to each token by itself.

Vaswani et al., 2017, arXiv:1706.03762, section 3.3.
"""

from jaxtyping import Float
from torch import Tensor, nn


class FeedForward(nn.Module):
    """relu(x W_1 + b_1) W_2 + b_2, with dropout on the hidden layer."""

    def __init__(self, d_model: int, d_ff: int, dropout: float = 0.0):
        super().__init__()
        self.expand = nn.Linear(d_model, d_ff)
        self.contract = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        return self.contract(self.dropout(self.expand(x).relu()))
