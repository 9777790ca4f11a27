"""The beta that gives the winner a chosen weight."""

import math
from functools import partial

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


def _three_near(draw: Draw, n: int) -> Tensor:
    """Scores of which a third counts too, so that a formula for the best two is wrong."""
    while True:
        scores = one_winner(draw, n, 0.3, 1.0)
        best = scores.topk(3).values
        if (best[1] - best[2]).item() <= 0.4:
            return scores


def _scores_and_weight(draw: Draw) -> Arguments:
    return [_three_near(draw, draw.sizes(1)[0]), draw.uniform(0.6, 0.9)]


def _far_apart(draw: Draw) -> Arguments:
    """Beta is as small as 0.002."""
    return [400 * one_winner(draw, 2, 0.5, 0.8), draw.uniform(0.6, 0.9)]


def _close(draw: Draw) -> Arguments:
    """Beta is in the thousands."""
    return [_three_near(draw, draw.sizes(1)[0]) / 200, draw.uniform(0.6, 0.9)]


def _logit(p: float) -> float:
    return math.log(p / (1 - p))


def _top_two(scores: Tensor) -> float:
    best = scores.topk(2).values
    return (best[0] - best[1]).item()


def _to_the_mean(scores: Tensor, p: float) -> float:
    best, others = scores.max(), scores.sort().values[:-1]
    return math.log((len(scores) - 1) * p / (1 - p)) / (best - others.mean()).item()


def _bisection(scores, p):
    low, high = 0.0, 100_000.0
    for _ in range(80):
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
    while high - low > 1e-7 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if (middle * scores).softmax(0).max() < p else (low, middle)
    return high


def _newton(scores, p):
    """On log(1/y − 1), which is nearly a line in beta."""
    gaps = (scores - scores.max()).double().sort().values[:-1]
    beta = 0.0
    for _ in range(60):
        weights = (beta * gaps).softmax(0)
        value = (beta * gaps).logsumexp(0) + _logit(p)
        beta -= (value / (weights * gaps).sum()).item()
    return beta


def _finer_and_finer(scores, p):
    low, high = 0.0, 1e5
    for _ in range(10):
        grid = torch.linspace(low, high, 101, dtype=torch.float64)
        weights = (grid[:, None] * scores).softmax(-1).amax(-1)
        place = max(1, int((weights < p).sum()))
        low, high = grid[place - 1].item(), grid[place].item()
    return torch.tensor([high])


def _bisection_up_to(scores, p, *, end):
    low, high = 0.0, end
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (middle * scores).softmax(0).max() < p else (low, middle)
    return high


def _few_steps(scores, p, *, steps):
    low, high = 0.0, 1.0
    while (high * scores).softmax(0).max() < p:
        high *= 2
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (middle, high) if (middle * scores).softmax(0).max() < p else (low, middle)
    return high


def _wrong_half(scores, p, *, doubled=True):
    low, high = 0.0, 1.0
    while doubled and (high * scores).softmax(0).max() < p:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if (middle * scores).softmax(0).max() < p else (middle, high)
    return high


def _first_on_a_grid(scores, p, *, step):
    """The first multiple of `step` at which the winner's weight is not below p."""
    return math.ceil(reference.beta_for_sharpness(scores, p) / step) * step


beta_for_sharpness = CodeExam(
    exercise="beta_for_sharpness",
    covers=("D1.1b",),
    function=reference.beta_for_sharpness,
    outputs=("beta",),
    criteria=(
        CodeCriterion("the winner gets weight p", 1.5, _scores_and_weight, "beta to a thousandth"),
        CodeCriterion("two scores that are far apart", 0.5, _far_apart, "beta to a thousandth"),
        CodeCriterion("scores that are close together", 0.5, _close, "beta to a thousandth"),
        CodeCriterion("the scores are left unchanged", 0.5, _scores_and_weight, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "beta-beats-runner-up-alone",
            "Your beta counts the runner-up alone, but every score takes weight. Search with the whole softmax.",
            lambda scores, p: _logit(p) / _top_two(scores),
            hint="all the scores",
        ),
        Misconception(
            "beta-treats-every-other-score",
            "Your beta treats every other score like the runner-up, which is too sharp. Search below it.",
            lambda scores, p: math.log((len(scores) - 1) * p / (1 - p)) / _top_two(scores),
            hint="two ends",
        ),
        Misconception(
            "to-the-mean",
            "Your beta treats every other score as if it were their mean. Search with the whole softmax.",
            _to_the_mean,
            hint="all the scores",
        ),
        Misconception(
            "return-temperature",
            "You return the temperature; beta is its inverse.",
            lambda s, p: 1 / reference.beta_for_sharpness(s, p),
            hint="all the scores",
        ),
        Misconception(
            "beta-depends-p-alone",
            "Your beta depends on p alone. The closer the scores, the larger it must be.",
            lambda s, p: _logit(p),
            hint="all the scores",
        ),
        Misconception(
            "beta-gives-smallest-score-weight",
            "Your beta gives the smallest score the weight p; expected that for the largest.",
            lambda s, p: -reference.beta_for_sharpness(-s, p),
            hint="two ends",
        ),
        Misconception(
            "return-weight",
            "You return a weight; expected the beta that gives it.",
            lambda s, p: s.softmax(0).max().item(),
            hint="nearly there",
        ),
        *(
            Misconception(
                "end-too-low",
                "Your search ends at a fixed beta that is too small for scores that are close. Double it until the "
                "winner's weight is above p.",
                partial(_bisection_up_to, end=end),
                hint="two ends",
            )
            for end in (1.0, 10.0, 20.0, 50.0, 100.0)
        ),
        *(
            Misconception(
                "halves-the-wrong-way",
                "You keep the wrong half: where the winner's weight is below p, beta must grow, so `low = middle`.",
                answer,
                hint="nearly there",
            )
            for answer in (_wrong_half, partial(_wrong_half, doubled=False))
        ),
        *(
            Misconception(
                f"too-few-steps-{steps}",
                "Your search stops too early: each step halves the interval, so 50 are enough and a few are not.",
                partial(_few_steps, steps=steps),
                hint="nearly there",
            )
            for steps in range(3, 6)
        ),
        *(
            Misconception(
                f"grid-of-{step}",
                "You try one beta after another in fixed steps, which are too large where beta is small. "
                "Halve an interval instead.",
                partial(_first_on_a_grid, step=step),
                hint="two ends",
            )
            for step in (1.0, 0.5)
        ),
        Misconception(
            "return-p", "You return p, which is a weight; expected the beta that gives it.", lambda s, p: p, "two ends"
        ),
    ),
    accepted=(_bisection, _doubling_first, _newton, _finer_and_finer),
)
