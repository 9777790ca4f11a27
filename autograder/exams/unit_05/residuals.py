"""Gradients through stacked sublayers, with and without a path around them."""

import math

import torch

from autograder.exam_types import CounterexampleExam, ExperimentExam, NumberCriterion
from autograder.exam_types.exam import Criterion, Misconception

NAMES = ("plain, 4 layers", "plain, 16 layers", "residual, 4 layers", "residual, 16 layers")
# Base-ten logarithms of the gradient's norm. Over 40 seeds: −2.37 … −2.71, −9.9 … −10.64, 0.02 … 0.07, 0.15 … 0.23.
TRUTH = dict(zip(NAMES, (-2.54, -10.25, 0.05, 0.19), strict=True))


def _numbers(*values: float) -> dict[str, float]:
    return dict(zip(NAMES, values, strict=True))


gradient_by_depth = ExperimentExam(
    exercise="gradient_by_depth",
    covers=("D1.4e",),
    numbers=NAMES,
    truth=TRUTH,
    # with residuals 0, that nothing changes, is out of reach, and so is a gradient that shrinks
    criteria=(NumberCriterion("the length that is left, in powers of ten", 2, NAMES, relative=0.06, absolute=0.045),),
    misconceptions=(
        Misconception(
            "handed-lengths-themselves",
            "You handed in the norms themselves: take math.log10 of each.",
            _numbers(10**-2.54, 10**-10.25, 10**0.05, 10**0.19),
        ),
        Misconception(
            "took-natural-logarithm",
            "You took the natural logarithm: use math.log10.",
            {name: number * math.log(10) for name, number in TRUTH.items()},
        ),
        Misconception(
            "two-columns-changed-places", "Plain and residual are swapped.", _numbers(0.05, 0.19, -2.54, -10.25)
        ),
        Misconception(
            "signs-turned",
            "Your signs are flipped: a norm below 1 has a negative logarithm.",
            _numbers(2.54, 10.25, -0.05, -0.19),
        ),
        Misconception(
            "depths-others-place",
            "Your depths are swapped: 16 plain layers leave less of the gradient than 4.",
            _numbers(-10.25, -2.54, 0.19, 0.05),
        ),
        Misconception(
            "sixteen-layers-not-shrink-gradient",
            "Four times as many layers don't shrink the gradient four times as much, but to the fourth power: the "
            "logarithm is four times the number.",
            _numbers(-2.54, -2.54 - math.log10(4), 0.05, 0.19),
        ),
    ),
    accepted=(
        _numbers(-2.5, -10.2, 0.06, 0.16),
        [-2.42, -9.9, 0.08, 0.24],
        torch.tensor([-2.62, -10.3, 0.02, 0.15]),
        {name: torch.tensor(number) for name, number in TRUTH.items()},
    ),
    shortcuts=(
        dict.fromkeys(NAMES, 0.0),
        dict.fromkeys(NAMES, -3.0),
        _numbers(-3, -12, 0, 0),
        _numbers(-4, -16, 0, 0),
    ),
)

NOTHING = "Your W is zero, so F does nothing and the gradient passes through the residual unchanged: its norm stays 1."
ADDS = "Your W adds to the identity: to cancel it, W has to be negative along the diagonal."
OVERSHOOTS = "Your W subtracts too much: I + W is negative and its norm is 1 or more. Subtract less."
SOME = (
    "Some gradients arrive shorter and others don't: I + W must make every direction shorter, as a small multiple of "
    "the identity does."
)
TURNED = "Your tensor isn't square: a sublayer that is added to its input keeps the width, so W is (d, d)."


residual_gradient_can_vanish = CounterexampleExam(
    exercise="residual_gradient_can_vanish",
    covers=("D1.4e",),
    parts=("matrix",),
    example=lambda: (-0.5 * torch.eye(3),),
    criteria=(Criterion("every gradient arrives shorter", 1),),
    misconceptions=(
        Misconception("nothing", NOTHING, (torch.zeros(2, 2),)),
        Misconception("adds", ADDS, (0.5 * torch.eye(3),)),
        Misconception("overshoots", OVERSHOOTS, (-2.5 * torch.eye(2),)),
        Misconception("overshoots", OVERSHOOTS, (-2 * torch.eye(4),)),
        Misconception("some", SOME, (torch.tensor([[-1.0, 0.0], [0.0, 0.0]]),)),
        Misconception("some", SOME, (-0.5 * torch.ones(3, 3),)),
        Misconception("turned", TURNED, (-torch.ones(1, 3),)),
    ),
    accepted=(
        (-torch.eye(2),),
        -0.5 * torch.eye(3),
        [torch.tensor([[-1.0, 0.5], [0.5, -1.0]], dtype=torch.float64)],
        torch.tensor([[-1]]),
        (torch.diag(torch.tensor([-0.3, -1.5, -0.9])),),
    ),
    shortcuts=(torch.zeros(2, 2), torch.ones(3, 3), torch.eye(2), -3 * torch.eye(1)),
)
