"""Models that the visible check of a student's test tries: a right one, a broken one, and what is wrong with it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from torch import Tensor


class Tried(NamedTuple):
    correct: Callable[[Tensor], Tensor]
    broken: Callable[[Tensor], Tensor]
    bug: str


def _attend(x: Tensor, last: int, query: int) -> Tensor:
    """What the token `query` takes from tokens 0 to `last`."""
    seen = x[:, : last + 1]
    weights = (seen @ x[:, query, :, None] / (2 * x.shape[-1] ** 0.5)).softmax(1)
    return (weights * seen).sum(1)


def _causal(x: Tensor) -> Tensor:
    """Right, and its last digits depend on everything, as those of a sum in another order do."""
    with torch.no_grad():
        return torch.stack([_attend(x, query, query) for query in range(x.shape[1])], 1) + 1e-7 * x.sum().sin()


def _sees_everything(x: Tensor) -> Tensor:
    with torch.no_grad():
        return torch.stack([_attend(x, x.shape[1] - 1, query) for query in range(x.shape[1])], 1)


def _embed(tokens: Tensor) -> Tensor:
    draw = torch.Generator().manual_seed(0)
    table, positions = torch.randn(10, 8, generator=draw), torch.randn(64, 8, generator=draw)
    return table[tokens] + positions[: tokens.shape[1]] / 2


def _decoder(tokens: Tensor) -> Tensor:
    return _logits(_causal(_embed(tokens)))


def _leaky_decoder(tokens: Tensor) -> Tensor:
    return _logits(_sees_everything(_embed(tokens)))


def _logits(x: Tensor) -> Tensor:
    return x @ torch.randn(8, 10, generator=torch.Generator().manual_seed(1))


NO_MASK = "attention without a mask, so that every token sees all others"
TRIED_MODELS: Mapping[str, Tried] = {
    "causality_test": Tried(_causal, _sees_everything, NO_MASK),
    "leak_test": Tried(_decoder, _leaky_decoder, NO_MASK),
}
