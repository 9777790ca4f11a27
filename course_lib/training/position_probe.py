"""A probe for positions: one layer of attention that must name the token just before each token.

The answer depends on order alone, so the probe can only be as good as its information about positions.
"""

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.single_thread import one_thread
from course_lib.training.loop import train

VOCAB, WIDTH, FARTHEST = 8, 32, 8
STEPS, BATCH, RATE = 500, 64, 5e-3


class PositionProbe(nn.Module):
    """Embeds tokens, applies `positions`, adds `bias(n, table)` to the scores, attends once, and predicts."""

    def __init__(self, positions: nn.Module | None = None, bias: Callable[[int, Tensor], Tensor] | None = None):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, WIDTH)
        self.positions, self.bias = positions, bias
        self.table = nn.Parameter(torch.zeros(2 * FARTHEST + 1)) if bias else None
        self.queries, self.keys, self.values = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(3))
        self.answer = nn.Linear(WIDTH, VOCAB)

    def forward(self, tokens: Int[Tensor, "batch n"]) -> Float[Tensor, "batch n vocab"]:
        x = self.embedding(tokens)
        if self.positions is not None:
            x = self.positions(x)
        bias = None if self.bias is None or self.table is None else self.bias(tokens.shape[1], self.table)
        seen = F.scaled_dot_product_attention(self.queries(x), self.keys(x), self.values(x), attn_mask=bias)
        return self.answer(seen)


def train_probe(
    length: int,
    positions: Callable[[], nn.Module] | None = None,
    bias: Callable[[int, Tensor], Tensor] | None = None,
    seed: int = 0,
) -> PositionProbe:
    """A probe trained on random sequences of one length; `positions()` constructs its positional module."""
    generator = torch.Generator().manual_seed(seed)
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        probe = PositionProbe(positions() if positions else None, bias)
        batches = (torch.randint(VOCAB, (BATCH, length), generator=generator) for _ in range(STEPS))
        train(probe, batches, _loss, RATE)
    return probe.eval()


def accuracy(probe: PositionProbe, length: int, places: Sequence[int] | None = None, seed: int = 1) -> float:
    """Accuracy on new sequences of this length, at these positions (or at all but the first)."""
    tokens = torch.randint(VOCAB, (200, length), generator=torch.Generator().manual_seed(seed))
    places = list(range(1, length) if places is None else places)
    with one_thread(), torch.no_grad():
        predicted = probe(tokens).argmax(-1)
    return (predicted[:, places] == tokens.roll(1, 1)[:, places]).float().mean().item()


def _loss(probe: nn.Module, tokens: Tensor) -> Tensor:
    return F.cross_entropy(probe(tokens)[:, 1:].flatten(0, 1), tokens[:, :-1].flatten())
