"""Attention that copies one value, and attention that averages them all."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_02.sharpness import one_winner
from course_lib.nn import softmax as reference

ENOUGH = 0.999  # in the middle, on a logarithmic scale, of what `preserve` may leave to the winner


def _arguments(draw: Draw) -> Arguments:
    """Two best scores neither too near nor too far apart; first, best, worst and longest are four different keys."""
    d, t, n = sorted(draw.sizes(3))
    scores = one_winner(draw, n, 0.7, 1.0).double()
    while 0 in (scores.argmax(), scores.argmin()):
        scores = scores.roll(1)
    values, keys, query, beta = _attention(draw, d, t, scores, draw.uniform(0.5, 0.9))
    return [values, keys.round(decimals=4), query, beta]  # a card keeps five decimals


def _equal_losers(draw: Draw) -> Arguments:
    """One key wins, and all others score the same; a value is a single number, which a stray squeeze loses.

    Beta is small: no fixed factor on the query is right here and with the other arguments.
    """
    d, n = sorted(draw.sizes(2))
    scores = torch.full((n,), -0.4, dtype=torch.float64)
    scores[n // 2] = 0.4
    return _attention(draw, d, 1, scores, draw.uniform(0.2, 0.3))


def _attention(draw: Draw, d: int, t: int, scores: Tensor, beta: float) -> Arguments:
    n = len(scores)
    values, keys, query = (draw.normal(*shape, dtype=torch.float64) for shape in ((n, t), (n, d), (d,)))
    longest = next(i for i in range(1, n) if i not in (scores.argmax(), scores.argmin()))
    along = query / query.norm()
    across = keys - torch.outer(keys @ along, along)
    across[longest] *= 9 / across[longest].norm()
    keys = across + torch.outer(scores, along) / query.norm()
    return [values, keys, query, beta]


def _mixture(values, keys, query, beta, *, length=1.0, sharp=False, winner="score", output="average", order=1):
    scores = {
        "score": keys @ query,
        "long key": keys.norm(dim=-1),
        "worst": -(keys @ query),
        "first": torch.arange(len(keys), 0, -1).to(keys),
    }[winner]
    factor = reference.beta_for_sharpness(beta * scores, ENOUGH) if sharp else length
    weights = (factor * beta * scores).softmax(0)
    result = {
        "average": weights @ values,
        "copied": values[weights.argmax()],
        "mean": values.mean(0),
        "sum": values.sum(0),
    }[output]
    return (result, weights)[::order]


_copied = partial(_mixture, sharp=True)


def _one_hot(values, keys, query, beta):
    best = (keys @ query).argmax()
    return values[best], torch.nn.functional.one_hot(best, len(keys)).to(values)


def _only_the_best_key_longer(values, keys, query, beta):
    """The best key is stretched, where the query should be."""
    scores = beta * keys @ query
    best = scores.argmax()
    while scores.softmax(0).max() < ENOUGH:
        scores[best] = scores[best] + 0.1
    weights = scores.softmax(0)
    return weights @ values, weights


def _longer(values, keys, query, beta):
    factor = reference.beta_for_sharpness(beta * keys @ query, ENOUGH)
    weights = reference.softargmax(keys @ (factor * query), beta)
    return weights @ values, weights


def _in_small_steps(values, keys, query, beta):
    weights = (beta * keys @ query).softmax(0)
    while weights.max() < 0.995:
        query = 1.05 * query
        weights = (beta * keys @ query).softmax(0)
    return (weights[:, None] * values).sum(0), weights


def _by_bisection(values, keys, query, beta):
    """Bisection on a logarithmic scale."""
    scores = beta * (keys @ query)
    best = scores.topk(1).values
    low, high = 1.0, 1000.0
    for _ in range(200):
        middle = (low * high) ** 0.5
        weight = 1 / torch.exp(middle * (scores - best)).sum()
        low, high = (middle, high) if weight < ENOUGH else (low, middle)
    weights = torch.exp(high * (scores - best)) / torch.exp(high * (scores - best)).sum()
    return weights.matmul(values), weights


def _by_larger_keys(values, keys, query, beta):
    """Every key is made longer by one factor, which is the same as a longer query."""
    c = torch.tensor(1.0, dtype=keys.dtype)
    while torch.softmax(beta * (c * keys) @ query, dim=0).max() < 0.998:
        c = c + 0.05
    weights = torch.softmax(beta * (c * keys) @ query, dim=0)
    return [weights @ values, weights]


def _longer_by(factor: float) -> Callable:
    """Not a partial: together with other slips it would show the same as they do."""
    return lambda *arguments: _mixture(*arguments, length=factor)


ALL_THE_WEIGHT = (
    "The best key has all the weight, and the others are too close to 0 to read the factor off them. "
    "Make the query only so long that the best key gets between 0.99 and 0.9999."
)


def _criteria(observe: str) -> tuple[CodeCriterion, ...]:
    return (
        CodeCriterion("weights and output", 1, _arguments, observe),
        CodeCriterion("several keys with the same score", 0.5, _equal_losers, observe),
        CodeCriterion("the arguments are left unchanged", 0.5, _arguments, "arguments after", side=True),
    )


preserve = CodeExam(
    exercise="preserve",
    covers=("D1.1c",),
    function=reference.preserve,
    outputs=("output", "weights"),
    criteria=_criteria("copied value"),
    misconceptions=(
        Misconception(
            "mixture",
            "This is plain attention, still a mixture. Make the query longer.",
            _mixture,
            hint="plain attention first",
        ),
        *(
            Misconception("all-the-weight", ALL_THE_WEIGHT, answer, hint="nearly there")
            for answer in (_one_hot, *map(_longer_by, (1e2, 1e3, 1e4, 1e5, 1e6, 1e7)))
        ),
        Misconception(
            "best-key-longer",
            "You raise the score of the best key only; expected one factor for the scores of all keys.",
            _only_the_best_key_longer,
            hint="which value",
        ),
        Misconception(
            "length-0-0",
            "You make the query shorter, which leads to the mean of the values. Make it longer.",
            partial(_mixture, length=0.0),
            hint="plain attention first",
        ),
        Misconception(
            "winner-worst",
            "You copy the value of the worst key: the sign of the scores is reversed.",
            partial(_mixture, sharp=True, winner="worst"),
            hint="which value",
        ),
        Misconception(
            "winner-long-key",
            "You copy the value of the longest key; expected that of the key with the largest score, keys @ query.",
            partial(_mixture, sharp=True, winner="long key"),
            hint="which value",
        ),
        Misconception(
            "winner-first",
            "You always copy the first value; the query decides which one.",
            partial(_mixture, sharp=True, winner="first"),
            hint="which value",
        ),
        Misconception(
            "output-copied",
            "Your output is one of the values, copied by its index; expected weights @ values.",
            lambda values, keys, query, beta: _copied(values, keys, query, beta, output="copied"),
            hint="nearly there",
        ),
        Misconception(
            "output-mean",
            "Your output is the mean of the values; expected weights @ values.",
            lambda values, keys, query, beta: _copied(values, keys, query, beta, output="mean"),
            hint="nearly there",
        ),
    ),
    accepted=(_longer, _in_small_steps, _by_bisection, _by_larger_keys),
)

dilute = CodeExam(
    exercise="dilute",
    covers=("D1.1d",),
    function=reference.dilute,
    outputs=("output", "weights"),
    criteria=_criteria("mixed values"),
    misconceptions=(
        Misconception(
            "plain-attention",
            "This is plain attention; expected the same weight for every key.",
            _mixture,
            hint="equal weights",
        ),
        Misconception(
            "length-0-1",
            "A tenth of the query still prefers some keys. Which query prefers none?",
            partial(_mixture, length=0.1),
            hint="equal scores",
        ),
        Misconception(
            "longer",
            "You make the query longer, which leads to a copy of one value. Make it shorter.",
            partial(_mixture, length=10.0),
            hint="equal scores",
        ),
        Misconception("copied", "You copy the winner's value, as in preserve.", _copied, hint="equal weights"),
        Misconception(
            "summed",
            "You add the values up; expected weights @ values, their mean.",
            partial(_mixture, length=0.0, output="sum"),
            hint="nearly there",
        ),
        Misconception(
            "only-the-mean",
            "Your output is the mean of the values, but your weights are those of plain attention.",
            partial(_mixture, output="mean"),
            hint="equal weights",
        ),
        Misconception(
            "scores-returned",
            "Your weights are all 0: these are the scores. The softmax of equal scores is 1/n for each key.",
            lambda values, keys, query, beta: (values.mean(0), torch.zeros_like(keys @ query)),
            hint="nearly there",
        ),
        Misconception(
            "weights-of-one",
            "Your weights are all 1; they must sum to 1, so each is 1/n.",
            lambda values, keys, query, beta: (values.sum(0), torch.ones_like(keys @ query)),
            hint="equal weights",
        ),
    ),
    accepted=(
        lambda values, keys, query, beta: _mixture(values, keys, query, beta, length=1e-9),
        lambda values, keys, query, beta: (values.mean(0), torch.full_like(values[:, 0], 1 / len(values))),
        lambda values, keys, query, beta: _mixture(values, keys, torch.zeros_like(query), beta),
        lambda values, keys, query, beta: [values.sum(0) / len(keys), (0 * keys @ query).softmax(-1)],
        lambda values, keys, query, beta: _mixture(values, keys, query / 100_000, beta),
        lambda values, keys, query, beta: (values.mean(dim=0), torch.ones(len(keys)) / len(keys)),
    ),
)
