"""The beta that gives the winner a chosen weight."""

import math

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import softmax as reference


def one_winner(draw: Draw, n: int, low: float, high: float) -> Tensor:
    """Scores whose two best are between `low` and `high` apart."""
    while True:
        scores = draw.normal(n)
        best = scores.topk(2).values
        if low <= (best[0] - best[1]).item() <= high:
            return scores


def _scores_and_weight(draw: Draw) -> Arguments:
    return [one_winner(draw, draw.sizes(1)[0], 0.3, 1.0), draw.uniform(0.6, 0.9)]


def _far_apart(draw: Draw) -> Arguments:
    return [5 * one_winner(draw, 2, 0.5, 0.8), draw.uniform(0.6, 0.9)]


def _logit(p: float) -> float:
    return math.log(p / (1 - p))


def _top_two(scores: Tensor) -> float:
    best = scores.topk(2).values
    return (best[0] - best[1]).item()


def _to_the_mean(scores: Tensor, p: float) -> float:
    best, others = scores.max(), scores.sort().values[:-1]
    return math.log((len(scores) - 1) * p / (1 - p)) / (best - others.mean()).item()


def _bisection(scores, p):
    low, high = 0.0, 1000.0
    for _ in range(60):
        middle = (low + high) / 2
        if torch.softmax(middle * scores, 0).max().item() > p:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _doubling_first(scores, p):
    scores = scores.double() - scores.max()
    high = torch.tensor(1.0, dtype=torch.float64)
    while (high * scores).softmax(0).max() < p:
        high = 2 * high
    low = torch.zeros(())
    while high - low > 1e-7:
        middle = (low + high) / 2
        low, high = (middle, high) if (middle * scores).softmax(0).max() < p else (low, middle)
    return high


def _newton(scores, p):
    """On log(1/y − 1), which is nearly a line in beta."""
    gaps = (scores - scores.max()).double().sort().values[:-1]
    beta = 0.0
    for _ in range(50):
        weights = (beta * gaps).softmax(0)
        value = (beta * gaps).logsumexp(0) + _logit(p)
        beta -= (value / (weights * gaps).sum()).item()
    return beta


def _finer_and_finer(scores, p):
    low, high = 0.0, 100.0
    for _ in range(8):
        grid = torch.linspace(low, high, 101, dtype=torch.float64)
        weights = (grid[:, None] * scores).softmax(-1).amax(-1)
        place = max(1, int((weights < p).sum()))
        low, high = grid[place - 1].item(), grid[place].item()
    return torch.tensor([high])


beta_for_sharpness = CodeExam(
    exercise="beta_for_sharpness",
    covers=("D1.1b",),
    function=reference.beta_for_sharpness,
    outputs=("beta",),
    criteria=(
        CodeCriterion("the winner gets weight p", 2, _scores_and_weight, "numbers", visible=True),
        CodeCriterion("two scores that are far apart", 0.5, _far_apart, "numbers"),
        CodeCriterion("the scores are left unchanged", 0.5, _scores_and_weight, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "beta-beats-runner-up-alone",
            "Your beta beats the runner-up alone: the other scores take weight too. Search with the whole softmax.",
            lambda scores, p: _logit(p) / _top_two(scores),
            hint="all the scores",
        ),
        Misconception(
            "beta-treats-every-other-score",
            "Your beta treats every other score as if it were the runner-up: that is too sharp. Search below it.",
            lambda scores, p: math.log((len(scores) - 1) * p / (1 - p)) / _top_two(scores),
            hint="two ends",
        ),
        Misconception(
            "to-the-mean",
            "Your beta treats every other score as if it were their mean: no single number stands for them all.",
            _to_the_mean,
            hint="all the scores",
        ),
        Misconception(
            "return-temperature",
            "You return a temperature: beta is its inverse.",
            lambda s, p: 1 / reference.beta_for_sharpness(s, p),
            hint="all the scores",
        ),
        Misconception(
            "beta-depends-p-alone",
            "Your beta depends on p alone: the nearer the scores, the larger it must be.",
            lambda s, p: _logit(p),
            hint="all the scores",
        ),
        Misconception(
            "beta-gives-smallest-score-weight",
            "Your beta gives the smallest score the weight p: the largest is the winner.",
            lambda s, p: -reference.beta_for_sharpness(-s, p),
            hint="two ends",
        ),
        Misconception(
            "return-weight",
            "You return a weight: the beta is asked for.",
            lambda s, p: s.softmax(0).max().item(),
            hint="nearly there",
        ),
    ),
    accepted=(_bisection, _doubling_first, _newton, _finer_and_finer),
)
