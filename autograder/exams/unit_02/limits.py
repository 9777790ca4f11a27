"""Softargmax: how a factor beta moves the weights between one winner and the mean."""

from functools import partial

import torch

from autograder.exam_types import CodeCriterion, CodeExam, ExperimentExam, NumberCriterion
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import softmax as reference
from course_lib.nn.softmax import softmax

SCORES, TIED = (1.0, 2.0, 4.0, 2.0), (4.0, 4.0, 1.0, 2.0)
LARGE, SMALL, TEMPERATURE = 20.0, 0.001, 50.0


def _down_columns(draw: Draw) -> Arguments:
    n, m = draw.sizes(2)
    return [draw.normal(n, m), draw.uniform(2.0, 3.0), 0]


def _without_dim(draw: Draw) -> Arguments:
    return [draw.normal(2, *draw.sizes(2)), draw.uniform(2.0, 3.0)]


def _large_beta(draw: Draw) -> Arguments:
    """Scores that are never nearly tied, so that each row has one winner; in the first row they are a thousandth apart,
    so that it has none.
    """
    scores = draw.normal(*draw.sizes(2)).argsort(-1) / 2
    scores[0] = scores[0] / 500 + 2.0
    return [scores, 1000.0, -1]


def _flawed(x, beta, dim=-1, *, role="factor", axis="dim", result="weights"):
    over = {"dim": dim, "last": -1, "first": 0}[axis]
    scores = {"factor": beta * x, "temperature": x / beta}.get(role, x)
    exp = scores.exp() if role == "overflow" else (scores - scores.amax(over, keepdim=True)).exp()
    if role == "overflow":
        exp = (beta * x).exp()
    weights = exp / exp.sum(over, keepdim=True)
    if role == "after":
        weights = beta * weights
    elif role == "power":
        weights = weights**beta
    if result == "position":
        places = torch.arange(x.shape[over], dtype=x.dtype)
        return (weights.movedim(over, -1) * places).sum(-1)
    if result == "one-hot":
        return (weights == weights.amax(over, keepdim=True)).to(x.dtype)
    return weights


softargmax = CodeExam(
    exercise="softargmax",
    covers=("D1.1b",),
    function=reference.softargmax,
    outputs=("weights",),
    criteria=(
        CodeCriterion("beta, along dim", 1, _down_columns),
        CodeCriterion("the last dimension if none is named", 0.5, _without_dim),
        CodeCriterion("finite for beta = 1000", 0.5, _large_beta),
    ),
    misconceptions=(
        Misconception(
            "role-temperature",
            "You divide the scores by beta, as if it were a temperature; multiply them by it.",
            partial(_flawed, role="temperature"),
            hint="one line",
        ),
        Misconception(
            "role-ignored",
            "Your weights do not depend on beta: it must multiply the scores.",
            partial(_flawed, role="ignored"),
            hint="one line",
        ),
        Misconception(
            "role-after",
            "You multiply the weights by beta; multiply the scores, before the softmax.",
            partial(_flawed, role="after"),
            hint="inside",
        ),
        Misconception(
            "role-power",
            "You raise the weights to the power beta, which is right up to a factor, so they no longer sum to 1.",
            partial(_flawed, role="power"),
            hint="inside",
        ),
        Misconception(
            "role-overflow",
            "Your exp overflows for a large beta. Use your softmax, which subtracts the maximum.",
            partial(_flawed, role="overflow"),
            hint="nearly there",
        ),
        Misconception("axis-last", "Your function ignores dim.", partial(_flawed, axis="last"), hint="nearly there"),
        Misconception(
            "default-first-dimension",
            "Your default is the first dimension; expected the last, dim=-1.",
            lambda x, beta, dim=0: reference.softargmax(x, beta, dim),
            hint="nearly there",
        ),
        Misconception(
            "result-oneminus-hot",
            "You return a one-hot vector, which is the limit for a large beta; expected the weights themselves.",
            partial(_flawed, result="one-hot"),
            hint="one line",
        ),
        Misconception(
            "result-position",
            "You return the mean position of the winner; expected the weights themselves.",
            partial(_flawed, result="position"),
            hint="one line",
        ),
    ),
    accepted=(
        lambda x, beta, dim=-1: torch.softmax(beta * x, dim),
        lambda x, beta, dim=-1: (beta * (x - x.amax(dim, keepdim=True))).softmax(dim),
        lambda x, b, axis=-1: (b * x - (b * x).logsumexp(axis, keepdim=True)).exp(),
        lambda x, beta, dim=-1: softmax(x.movedim(dim, 0) * beta, 0).movedim(0, dim),
        lambda x, beta, dim=-1: torch.nn.functional.softmax(x / (1 / beta), dim=dim),
        lambda scores, temperature, dim=-1: torch.nn.Softmax(dim=dim)(scores.mul(temperature)),
    ),
)


def _first(scores, beta: float) -> float:
    return reference.softargmax(torch.tensor(scores), beta).max().item()


WINNER, NEARLY_ZERO, TIE, HOT = "beta = 20", "beta = 0.001", "tie, beta = 20", "temperature = 50"
TRUTH = {
    WINNER: _first(SCORES, LARGE),
    NEARLY_ZERO: _first(SCORES, SMALL),
    TIE: _first(TIED, LARGE),
    HOT: _first(SCORES, 1 / TEMPERATURE),
}

MEANING = {
    WINNER: "With beta = 20 the scores 4 and 2 are 40 apart after scaling, so the winner takes nearly everything.",
    NEARLY_ZERO: "With beta = 0.001 the four scores are nearly equal after scaling, so each weight is nearly 1/4.",
    TIE: "Two equal scores share equally, and with beta = 20 nothing is left for the others.",
    HOT: "A temperature of 50 is beta = 1/50: the four weights are nearly equal, the largest a little above 1/4.",
}


def _meaning(name: str, number: float) -> str:
    return MEANING[name]


softargmax_limits = ExperimentExam(
    exercise="softargmax_limits",
    covers=("D1.1b",),
    numbers=tuple(TRUTH),
    truth=TRUTH,
    criteria=(
        NumberCriterion("one winner", 1, (WINNER, NEARLY_ZERO), absolute=0.006, reading=_meaning),
        NumberCriterion("two winners", 0.5, (TIE,), absolute=0.01, reading=_meaning),
        NumberCriterion("temperature", 0.5, (HOT,), absolute=0.005, reading=_meaning),
    ),
    misconceptions=(
        Misconception(
            "large-small-changed-places",
            "Large and small have changed places. A large beta singles out the winner.",
            TRUTH | {WINNER: TRUTH[NEARLY_ZERO], NEARLY_ZERO: TRUTH[WINNER]},
        ),
        Misconception(
            "beta-near-0-makes-scores",
            "You give 0 for a beta near 0. It makes the scores alike, so each gets 1/4.",
            TRUTH | {NEARLY_ZERO: 0.0},
        ),
        Misconception(
            "argmax-would-pick-two-scores",
            "You give 1 for two equal scores. softargmax cannot tell them apart, so each gets one half.",
            TRUTH | {TIE: 1.0},
        ),
        Misconception(
            "used-temperature-beta",
            "You use the temperature as beta. Beta is its inverse, 1/50, so the weights are nearly uniform.",
            TRUTH | {HOT: 1.0},
        ),
        Misconception(
            "report-weight-loser",
            "You report the weight of a smaller score; expected the largest weight.",
            TRUTH | {WINNER: 0.0},
        ),
        Misconception(
            "report-largest-score", "You report the largest score; expected its weight.", TRUTH | {WINNER: 4.0}
        ),
    ),
    accepted=(
        list(TRUTH.values()),
        tuple(round(number, 2) for number in TRUTH.values()),
        torch.tensor(list(TRUTH.values())),
        {name: torch.tensor(number) for name, number in TRUTH.items()},
    ),
    shortcuts=tuple([constant] * 4 for constant in (0.0, 0.25, 0.5, 1.0)),
)
