"""Attention that copies one value, and attention that averages them all."""

from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_02.sharpness import one_winner
from course_lib.nn import softmax as reference


def _arguments(draw: Draw) -> Arguments:
    """Two best scores neither too near nor too far apart; first, best, worst and longest are four different keys."""
    d, t, n = sorted(draw.sizes(3))
    values, keys, query = draw.normal(n, t), draw.normal(n, d), draw.normal(d)
    scores = one_winner(draw, n, 0.4, 1.0)
    while 0 in (scores.argmax(), scores.argmin()):
        scores = scores.roll(1)
    longest = next(i for i in range(1, n) if i not in (scores.argmax(), scores.argmin()))
    along = query / query.norm()
    across = keys - torch.outer(keys @ along, along)
    across[longest] *= 9 / across[longest].norm()
    keys = across + torch.outer(scores, along) / query.norm()
    return [values, keys, query, draw.uniform(0.5, 0.9)]


def _mixture(values, keys, query, beta, *, length=1.0, winner="score", result="output"):
    scores = {
        "score": keys @ query,
        "long key": keys.norm(dim=-1),
        "worst": -(keys @ query),
        "first": torch.arange(len(keys), 0, -1).float(),
    }[winner]
    weights = (length * beta * scores).softmax(0)
    return weights @ values if result == "output" else weights


COPY, MEAN = 1e5, 0.0
_copied = partial(_mixture, length=COPY)


def _longer(values, keys, query, beta):
    return reference.softargmax(keys @ (1e4 * query), beta) @ values


def _until_sharp(values, keys, query, beta):
    while (beta * keys @ query).softmax(0).max() < 1 - 1e-7:
        query = 2 * query
    return (beta * keys @ query).softmax(0) @ values


def _by_definition(values, keys, query, beta):
    scores = beta * (keys @ query)
    best = (scores - scores.max()) * 1e6
    return (torch.exp(best)[:, None] * values).sum(0) / torch.exp(best).sum()


OUTPUT = (
    CodeCriterion("the output", 1.5, _arguments, visible=True),
    CodeCriterion("the arguments are left unchanged", 0.5, _arguments, "arguments after"),
)

preserve = CodeExam(
    exercise="preserve",
    covers=("D1.1c",),
    function=reference.preserve,
    outputs=("output",),
    criteria=OUTPUT,
    misconceptions=(
        Misconception(
            "mixture",
            "This is plain attention, still a mixture: make the query longer.",
            _mixture,
            hint="plain attention first",
        ),
        Misconception(
            "length-10-0",
            "Ten times the query is not long enough: the other keys together may keep a millionth of the weight.",
            partial(_mixture, length=10.0),
            hint="nearly there",
        ),
        Misconception(
            "length-0-0",
            "You made the query shorter: that is the mean of the values.",
            partial(_mixture, length=0.0),
            hint="plain attention first",
        ),
        Misconception(
            "winner-worst",
            "You copy the value of the worst key: the sign of the query has turned.",
            partial(_copied, winner="worst"),
            hint="which value",
        ),
        Misconception(
            "winner-long-key",
            "You copy the value of the longest key: the winner is the key with the largest score, keys @ query.",
            partial(_copied, winner="long key"),
            hint="which value",
        ),
        Misconception(
            "winner-first",
            "You always copy the first value: the query decides which one.",
            partial(_copied, winner="first"),
            hint="which value",
        ),
        Misconception(
            "result-weights",
            "You return the weights: multiply them with the values.",
            partial(_copied, result="weights"),
            hint="nearly there",
        ),
    ),
    accepted=(_longer, _until_sharp, _by_definition, lambda values, keys, query, beta: values[(keys @ query).argmax()]),
)


def _summed(values: Tensor, keys: Tensor, query: Tensor, beta: float) -> Tensor:
    return values.sum(0)


dilute = CodeExam(
    exercise="dilute",
    covers=("D1.1d",),
    function=reference.dilute,
    outputs=("output",),
    criteria=OUTPUT,
    misconceptions=(
        Misconception(
            "plain-attention",
            "This is plain attention: every key should score the same.",
            _mixture,
            hint="equal weights",
        ),
        Misconception(
            "length-0-1",
            "A tenth of the query still prefers some keys: which query prefers none?",
            partial(_mixture, length=0.1),
            hint="equal scores",
        ),
        Misconception("copied", "You copy the winner: that is preserve.", _copied, hint="equal weights"),
        Misconception(
            "summed", "You add the values up: weights sum to 1, so this is their mean.", _summed, hint="nearly there"
        ),
        Misconception(
            "result-weights",
            "You return the weights: multiply them with the values.",
            partial(_mixture, length=MEAN, result="weights"),
            hint="nearly there",
        ),
        Misconception(
            "divide-width-values",
            "You divide by the width of the values: divide by the number of keys.",
            lambda values, keys, query, beta: values.sum(0) / values.shape[1],
            hint="nearly there",
        ),
        Misconception(
            "take-mean-values-own-entries",
            "You take the mean of each value's own entries: take it over the keys.",
            lambda values, keys, query, beta: values.mean(1),
            hint="nearly there",
        ),
    ),
    accepted=(
        lambda values, keys, query, beta: values.mean(0),
        lambda values, keys, query, beta: (1e-9 * beta * keys @ query).softmax(0) @ values,
        lambda values, keys, query, beta: torch.full((len(keys),), 1 / len(keys)) @ values,
        lambda values, keys, query, beta: reference.softargmax(keys @ torch.zeros_like(query), beta) @ values,
    ),
)
