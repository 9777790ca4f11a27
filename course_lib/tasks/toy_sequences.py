"""Toy sequences: each tests one ability of a model."""

import torch
from jaxtyping import Int
from torch import Tensor


def reversed_copies(
    batch: int, n: int, vocab: int, generator: torch.Generator | None = None
) -> tuple[Int[Tensor, "{batch} {n}"], Int[Tensor, "{batch} {n}"]]:
    """(tokens, the same backwards): needs positions, and attention that crosses the whole sequence."""
    tokens = torch.randint(vocab, (batch, n), generator=generator)
    return tokens, tokens.flip(1)


def both_neighbours(
    batch: int, n: int, vocab: int, generator: torch.Generator | None = None
) -> tuple[Int[Tensor, "{batch} {n}"], Int[Tensor, "{batch} {n} 2"]]:
    """(tokens, the left and the right neighbor of each, in a circle): two looks at once, for two heads."""
    tokens = torch.randint(vocab, (batch, n), generator=generator)
    return tokens, torch.stack([tokens.roll(1, 1), tokens.roll(-1, 1)], -1)
