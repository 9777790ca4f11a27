"""Maps of a batch of sequences, (B, n, d), on which a test of equivariance is tried, each under a name."""

import torch
import torch.nn.functional as F
from torch import Tensor


def _places(x: Tensor) -> Tensor:
    """0, 1, 2, … as a column."""
    return torch.arange(x.shape[1], dtype=x.dtype).unsqueeze(-1)


TOKEN_MAPS = {
    "self-attention without positions": lambda x: F.scaled_dot_product_attention(x, x, x),
    "a layer that takes each token alone": lambda x: torch.cat([x.tanh(), x.square()], -1),
    "the mean of all tokens, at every place": lambda x: x.mean(1, keepdim=True).expand_as(x),
    "minus the mean of the squares, at every place": lambda x: -x.square().mean(1, keepdim=True).expand_as(x),
    "all tokens of the batch, centred": lambda x: x - x.mean((0, 1)),
    "zero, whatever the token": torch.zeros_like,
    "tokens with their place added": lambda x: x + _places(x),
    "self-attention with a little of the place added": lambda x: (
        F.scaled_dot_product_attention(x, x, x) + 0.05 * _places(x)
    ),
    "places added in the last sequence only": lambda x: torch.cat([x[:-1], x[-1:] + _places(x)]),
    "places added in the first sequence and taken off in the last": lambda x: torch.cat(
        [x[:1] + _places(x), x[1:-1], x[-1:] - _places(x)]
    ),
    "the place added to the first feature only": lambda x: torch.cat([x[..., :1] + _places(x), x[..., 1:]], -1),
    "the second token, doubled": lambda x: x + x * (_places(x) == 1),
    "a running sum": lambda x: x.cumsum(1),
    "the tokens, sorted": lambda x: x.sort(1).values,
    "each token and twice the one before it, in a circle": lambda x: x + 2 * x.roll(1, 1),
    "minus the number of tokens that are smaller than the one before": lambda x: (
        -(x[:, 1:] < x[:, :-1]).to(x).sum(1, keepdim=True).expand_as(x)
    ),
}
