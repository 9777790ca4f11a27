"""Black boxes for a test of causality: models of tokens, (B, n, d) → (B, n, d), some causal and some not.

Their weights are fixed for each width. They answer with numbers only, without a gradient, whoever asks.
"""

import math
from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor


@cache
def _weights(d: int) -> list[Tensor]:
    generator = torch.Generator().manual_seed(d)
    return [torch.randn(d, d, generator=generator) / math.sqrt(d) for _ in range(3)]


def _scores(x: Tensor) -> Tensor:
    w_q, w_k, _ = (w.to(x.dtype) for w in _weights(x.shape[-1]))
    # half of the usual scores: no weight is so small that an honest test could miss what it carries
    return (x @ w_q) @ (x @ w_k).transpose(-2, -1) / (2 * math.sqrt(x.shape[-1]))


def _values(x: Tensor) -> Tensor:
    return x @ _weights(x.shape[-1])[2].to(x.dtype)


def _future(x: Tensor, diagonal: int = 1) -> Tensor:
    return torch.ones(x.shape[-2], x.shape[-2]).triu(diagonal).bool()


def model(answer: Callable[[Tensor], Tensor]) -> Callable[[Tensor], Tensor]:
    """A black box that computes `answer`."""

    def causal_model(x: Tensor) -> Tensor:
        with torch.no_grad():
            return answer(x.detach().clone())

    return causal_model


def _masked(x: Tensor, blocked: Tensor, fill: float = -1e9) -> Tensor:
    return _scores(x).masked_fill(blocked, fill).softmax(-1) @ _values(x)


def _one_token_at_a_time(x: Tensor) -> Tensor:
    outputs = [_scores(x[:, : i + 1])[:, -1:].softmax(-1) @ _values(x[:, : i + 1]) for i in range(x.shape[1])]
    return torch.cat(outputs, 1)


def _with_residual(x: Tensor) -> Tensor:
    """What a block does: a sum with the input, then something that is done to each token by itself."""
    h = x + _masked(x, _future(x), float("-inf"))
    return h + 0.5 * h.sin()


def _rounded_otherwise(x: Tensor) -> Tensor:
    """A number is taken from all scores of a row, which no softmax minds, but which rounds them otherwise.

    The sigmoid keeps outputs away from 0, where a relative tolerance would be no tolerance at all.
    """
    scores = _scores(x)
    scores = (scores - 16 * (3 * scores.mean(-1, keepdim=True)).sin()).masked_fill(_future(x), float("-inf"))
    return (scores.softmax(-1) @ _values(x)).sigmoid()


def _two_layers(x: Tensor) -> Tensor:
    h = x + _masked(x, _future(x))
    return h + _masked(h, _future(h))


CORRECT = tuple(
    map(
        model,
        (
            lambda x: _masked(x, _future(x)),
            _one_token_at_a_time,
            _with_residual,
            _rounded_otherwise,
            _two_layers,
        ),
    )
)


def _first_sequence_only(x: Tensor) -> Tensor:
    blocked = _future(x).expand(len(x), -1, -1).clone()
    blocked[1:] = False
    return _masked(x, blocked)


def _last_token_open(x: Tensor) -> Tensor:
    """The last column of the mask is missing, as if it had been made for a shorter sequence."""
    blocked = _future(x)
    blocked[:, -1] = False
    return _masked(x, blocked)


def _prefix_open(x: Tensor) -> Tensor:
    blocked = _future(x)
    blocked[:2, :2] = False
    return blocked


def _first_half(x: Tensor) -> Tensor:
    """Of two tokens, the first; the last query has nothing to be hidden from it."""
    blocked = _future(x)
    blocked[max(1, (len(blocked) - 1) // 2) :] = False
    return blocked


def _after_softmax(x: Tensor) -> Tensor:
    return _scores(x).softmax(-1).masked_fill(_future(x), 0.0) @ _values(x)


def _centred_values(x: Tensor) -> Tensor:
    values = _values(x)
    weights = _scores(x).masked_fill(_future(x), -1e9).softmax(-1)
    return weights @ (values - values.mean(1, keepdim=True))


def _short_memory(x: Tensor) -> Tensor:
    return _masked(x, _future(x) | ~_future(x, -1))


def _itself_blocked(x: Tensor) -> Tensor:
    """The first token, which then sees nothing, gets zeros."""
    blocked = _future(x, 0)
    return _scores(x).masked_fill(blocked, -1e9).softmax(-1).masked_fill(blocked, 0.0) @ _values(x)


BUGS = {
    "no mask at all": lambda x: _masked(x, torch.zeros_like(_future(x))),
    "an inverted mask: tokens see the future and not the past": lambda x: _masked(x, ~_future(x)),
    "a diagonal off by one: every token sees the next one": lambda x: _masked(x, _future(x, 2)),
    "a diagonal off by one the other way: no token sees itself": _itself_blocked,
    "a mask after the softmax: the future still counts in the denominator": _after_softmax,
    "a mask that only lowers the scores of the future by 3": lambda x: (
        (_scores(x) - 3.0 * _future(x)).softmax(-1) @ _values(x)
    ),
    "a mask for the first sequence of the batch only": _first_sequence_only,
    "a mask that forgets the last token": _last_token_open,
    "a mask that leaves the first two tokens open to each other": lambda x: _masked(x, _prefix_open(x)),
    "a mask for the first half of the queries only": lambda x: _masked(x, _first_half(x)),
    "values from which the mean of the whole sequence is taken, future included": _centred_values,
    "a memory of one token: what came before the last one is lost": _short_memory,
}
