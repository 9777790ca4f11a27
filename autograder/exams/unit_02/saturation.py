"""Saturation: as the largest output nears 1, its gradient vanishes."""

import math

import numpy as np
import torch

from autograder.exam_types import CodeCriterion, CodeExam, ExperimentExam, NumberCriterion
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import softmax as reference
from course_lib.nn.softmax import softmax


def _moderate(draw: Draw) -> list[float]:
    return [draw.uniform(1.0, 2.5)]


def _large(draw: Draw) -> list[float]:
    return [draw.uniform(3.2, 4.2)]


def _outputs(a: float, scores=lambda a: (a, a, 2 * a)) -> list[float]:
    return softmax(torch.tensor(scores(a), dtype=torch.float64), 0).tolist()


def _with_gradient(formula):
    """A misconception from a formula of the largest output y and one of the others, z."""
    return lambda a: (_outputs(a)[2], formula(_outputs(a)[2], _outputs(a)[0]))


def _by_autograd(a):
    x = torch.tensor([a, a, 2 * a], dtype=torch.float64, requires_grad=True)
    y = x.softmax(0).max()
    y.backward()
    return y, x.grad.max()


def _by_jacobian(a):
    x = torch.tensor([a, a, 2.0 * a])
    return softmax(x, 0)[-1], reference.softmax_jacobian(x)[-1, -1]


def _by_formula(a):
    y = math.exp(a) / (math.exp(a) + 2)
    return y, y * (1 - y)


def _times_a(a: float) -> tuple[float, float]:
    y = _outputs(a)[2]
    return y, a * y * (1 - y)


def _from_two(a: float) -> tuple[float, float]:
    y = _outputs(a, lambda a: (a, 2 * a))[1]
    return y, y * (1 - y)


def _smallest(a: float) -> tuple[float, float]:
    z = _outputs(a)[0]
    return z, z * (1 - z)


def _with_numpy(a):
    exps = np.exp(np.array([a, a, 2 * a]) - 2 * a)
    y = exps / exps.sum()
    return float(y[-1]), float(y[-1] * (1 - y[-1]))


def _from_scores(a: float) -> tuple[float, float]:
    return 2 * a, 2 * a * (1 - 2 * a)


saturation = CodeExam(
    exercise="saturation",
    covers=("B plot",),
    function=reference.saturation,
    outputs=("largest", "gradient"),
    criteria=(
        CodeCriterion("the largest output and its gradient", 1.5, _moderate, "numbers"),
        CodeCriterion("nearly saturated", 0.5, _large, "numbers"),
    ),
    misconceptions=(
        Misconception(
            "gradient-weaker-score-y-y",
            "Your slope is against a weaker score, −y y_j; expected the slope against its own score, y (1 − y).",
            _with_gradient(lambda y, z: -y * z),
            hint="the slope is known",
        ),
        Misconception(
            "factor-y-lost",
            "The factor y is missing: the slope is y (1 − y).",
            _with_gradient(lambda y, z: 1 - y),
            hint="the slope is known",
        ),
        Misconception(
            "sign-wrong",
            "You have a plus for a minus: the slope is y (1 − y).",
            _with_gradient(lambda y, z: y * (1 + y)),
            hint="the slope is known",
        ),
        Misconception(
            "return-gradient-largest-order-asked",
            "You return (gradient, largest); expected (largest, gradient).",
            lambda a: reference.saturation(a)[::-1],
            hint="nearly there",
        ),
        Misconception(
            "times-two",
            "Your slope has a factor 2, the derivative of 2a by a; expected the slope against the score, y (1 − y).",
            _with_gradient(lambda y, z: 2 * y * (1 - y)),
            hint="the slope is known",
        ),
        Misconception(
            "times-a",
            "Your slope has a factor a; expected y (1 − y).",
            _times_a,
            hint="the slope is known",
        ),
        Misconception(
            "square",
            "Your slope is y²; expected y (1 − y).",
            _with_gradient(lambda y, z: y * y),
            hint="the slope is known",
        ),
        Misconception(
            "not-weighted",
            "Your largest output is 1: you divide each score by the largest one. Take the softmax.",
            lambda a: (1.0, 0.0),
            hint="which score wins",
        ),
        Misconception(
            "from-two",
            "Your scores are [a, 2a]; expected two of the weaker ones, [a, a, 2a].",
            _from_two,
            hint="which score wins",
        ),
        Misconception(
            "smallest",
            "You use a weaker output; expected the largest, that of the score 2a.",
            _smallest,
            hint="which score wins",
        ),
        Misconception(
            "from-scores", "You use the score 2a itself. Take the softmax first.", _from_scores, hint="which score wins"
        ),
    ),
    accepted=(_by_autograd, _by_jacobian, _by_formula, lambda a: list(map(float, _by_jacobian(float(a)))), _with_numpy),
)

THRESHOLD = 1e-3
ANSWER = math.log(1 / THRESHOLD - 2 + math.sqrt((1 / THRESHOLD - 2) ** 2 - 4))  # 2eᵃ / (eᵃ + 2)² = 10⁻³, solved for a


def _slope_there(name: str, a: float) -> str:
    slope = reference.saturation(a)[1]
    if slope >= THRESHOLD:
        return f"At a = {a:.4g} the slope is {slope:.2g}, not below 0.001."
    return f"At a = {a:.4g} the slope is below 0.001, but this is not the smallest positive a, to one decimal."


saturation_threshold = ExperimentExam(
    exercise="saturation_threshold",
    covers=("B plot",),
    numbers=("a",),
    truth={"a": ANSWER},
    criteria=(
        NumberCriterion(
            "the smallest a", 2, absolute=0.05, hint="Try every a from 0 on, in steps of 0.1.", reading=_slope_there
        ),
    ),
    misconceptions=(
        Misconception(
            "report-gradient-falls-under-0",
            "You report the slope; expected the a at which it falls below 0.001.",
            {"a": THRESHOLD},
        ),
        Misconception(
            "report-largest-output-asked", "You report the largest output; expected the a.", {"a": 1 - THRESHOLD}
        ),
        Misconception("report-score-2a-half", "You report the score 2a; a is half of that.", {"a": 2 * ANSWER}),
        Misconception(
            "gradient-falls-under-0-01", "That is where the slope falls below 0.01; expected 0.001.", {"a": 5.3}
        ),
        Misconception(
            "gradient-falls-under-0-0001", "That is where the slope falls below 0.0001; expected 0.001.", {"a": 9.9}
        ),
        Misconception(
            "scores-2a",
            "That is for the scores [a, 2a]; expected two of the weaker ones, [a, a, 2a].",
            {"a": math.log(1000)},
        ),
        Misconception(
            "gradient-largest-not-vanished",
            "That is where the slope is largest, not where it has vanished.",
            {"a": math.log(2)},
        ),
    ),
    accepted=(7.6, 7.599, {"a": 7.59}, torch.tensor(7.598), [7.61]),
    shortcuts=(0.0, 1.0, 5.0, 0.001, 7.5, 7.7),
)
