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


def which_came_first(
    batch: int, n: int, vocab: int, generator: torch.Generator | None = None
) -> tuple[Int[Tensor, "{batch} {n}"], Int[Tensor, "{batch}"]]:
    """(tokens, 0 or 1): which of two tokens, each present once, comes first; a set of tokens does not tell."""
    if vocab < 3 or n < 2:
        raise ValueError(f"two marks and a filler need vocab ≥ 3 and n ≥ 2, got vocab = {vocab} and n = {n}")
    tokens = torch.randint(2, vocab, (batch, n), generator=generator)
    places = torch.rand(batch, n, generator=generator).argsort(1)[:, :2]
    tokens.scatter_(1, places, torch.tensor([0, 1]).expand(batch, 2))
    return tokens, (places[:, 1] < places[:, 0]).long()


def both_neighbours(
    batch: int, n: int, vocab: int, generator: torch.Generator | None = None
) -> tuple[Int[Tensor, "{batch} {n}"], Int[Tensor, "{batch} {n} 2"]]:
    """(tokens, the left and the right neighbor of each, in a circle): two looks at once, for two heads."""
    tokens = torch.randint(vocab, (batch, n), generator=generator)
    return tokens, torch.stack([tokens.roll(1, 1), tokens.roll(-1, 1)], -1)
