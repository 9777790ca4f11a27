"""The derivative of the softmax, line by line, each line in symbols that are independent of each other."""

import torch

from autograder.exam_types import LadderExam, Rung, RungCriterion
from autograder.exam_types.draw import Arguments, Draw
from autograder.exams.unit_02.derivative_slips import (
    NUMERATOR_OF_OTHER,
    NUMERATOR_OF_SAME,
    OTHER,
    OTHER_IN_Y,
    SAME,
    SAME_IN_Y,
    SAME_QUOTIENT,
    SHARPENED,
    SLIPS,
)

POINTS = 4


def _point(draw: Draw, same: bool) -> Arguments:
    """e, S, y, i, j: S is not the sum of e, and y is not e / S."""
    n = int(draw.uniform(3, 6))
    i = int(draw.uniform(0, n))
    j = i if same else (i + 1 + int(draw.uniform(0, n - 1))) % n
    e, y = (0.7 * draw.normal(n, dtype=torch.float64)).exp(), draw.normal(n, dtype=torch.float64).softmax(0)
    return [e, draw.uniform(4.0, 9.0), y, i, j]


def _same(draw: Draw) -> list[Arguments]:
    return [_point(draw, same=True) for _ in range(POINTS)]


def _different(draw: Draw) -> list[Arguments]:
    return [_point(draw, same=False) for _ in range(POINTS)]


def _both_sharpened(draw: Draw) -> list[Arguments]:
    points = [_point(draw, same=bool(number % 2)) for number in range(POINTS)]
    return [[*point, draw.uniform(1.5, 2.5)] for point in points]


RUNGS = (
    Rung(NUMERATOR_OF_SAME, lambda e, S, y, i, j: e[i], _same),
    Rung(NUMERATOR_OF_OTHER, lambda e, S, y, i, j: e[j], _different),
    Rung(SAME, lambda e, S, y, i, j: e[i] * S - e[i] * e[i], _same),
    Rung(SAME_QUOTIENT, lambda e, S, y, i, j: (e[i] * S - e[i] * e[i]) / S**2, _same),
    Rung(SAME_IN_Y, lambda e, S, y, i, j: y[i] * (1 - y[i]), _same),
    Rung(OTHER, lambda e, S, y, i, j: 0 * S - e[i] * e[j], _different),
    Rung(OTHER_IN_Y, lambda e, S, y, i, j: -y[i] * y[j], _different),
    Rung(SHARPENED, lambda e, S, y, i, j, beta: beta * y[i] * (float(i == j) - y[j]), _both_sharpened),
)
LINES = tuple(rung.line for rung in RUNGS)
# The lines in y are printed as one formula in the next exercise, so all of them together earn less than half.
POINTS_OF = dict(zip((rung.name for rung in RUNGS), (0.5, 0.5, 1, 1, 0.5, 0.5, 1, 1), strict=True))

softmax_derivative = LadderExam(
    exercise="softmax_derivative",
    covers=("Bt11",),
    rungs=RUNGS,
    criteria=tuple(
        RungCriterion(f"rung {number}: {rung.name}", POINTS_OF[rung.name], rung.name)
        for number, rung in enumerate(RUNGS, 1)
    ),
    slips=SLIPS,
    accepted=(
        LINES,
        {rung.name: rung.line for rung in reversed(RUNGS)},
        (
            lambda e, S, y, i, j: e[j],
            lambda e, S, y, i, j: e[j].item(),
            lambda e, S, y, i, j: e[i] * (S - e[i]),
            lambda e, S, y, i, j: (e[i] / S) * ((S - e[i]) / S),
            lambda e, S, y, i, j: y[i] - y[i] ** 2,
            lambda e, S, y, i, j: -e[i] * e[j],
            lambda e, S, y, i, j: -(y[i] * y[j]),
            lambda e, S, y, i, j, beta: beta * (y[i] * (1 - y[i]) if i == j else -y[i] * y[j]),
        ),
        (*LINES[:-1], lambda e, S, y, i, j, beta: beta * y[i] * ((i == j) - y[j])),
        (
            lambda e, s, p, i, j: e[i].clone(),
            lambda e, s, p, i, j: e[j : j + 1],
            lambda e, s, p, i, j: e[i] * s - e[i] ** 2,
            lambda e, s, p, i, j: e[i] / s - (e[i] / s) ** 2,
            lambda e, s, p, i, j: p[i] * (1 - p[j]),
            lambda e, s, p, i, j: 0 - e[j] * e[i],
            lambda e, s, p, i, j: float(-p[j] * p[i]),
            lambda e, s, p, i, j, b: b * (torch.diag(p) - torch.outer(p, p))[i, j],
        ),
    ),
    shortcuts=(
        [LINES[4]] * 8,
        [LINES[6]] * 8,
        [lambda e, S, y, i, j, beta=1.0: beta * y[i] * (float(i == j) - y[j])] * 8,
        [lambda *symbols: 0.0] * 8,
        [lambda *symbols: 1.0] * 8,
        [lambda e, S, y, i, j, *beta: (e[i] * S - e[i] * e[j]) / S**2] * 8,
    ),
)
