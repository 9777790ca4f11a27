"""The derivative of the softmax, line by line."""

import torch
from torch import Tensor

from autograder.exam_types import LadderExam, Rung, RungCriterion, Slip
from autograder.exam_types.draw import Arguments, Draw
from autograder.exams.unit_02.jacobian import AUTOGRAD

SAME_QUOTIENT, SPLIT, SAME = "i = j, quotient rule", "i = j, split", "i = j, in terms of y"
OTHER_QUOTIENT, OTHER, BETA = "i ≠ j, quotient rule", "i ≠ j, in terms of y", "i ≠ j, softmax of beta x"


def _point(draw: Draw) -> Arguments:
    n = int(draw.uniform(3, 6))
    i = int(draw.uniform(0, n))
    j = (i + 1 + int(draw.uniform(0, n - 1))) % n
    return [0.7 * draw.normal(n, dtype=torch.float64), i, j, draw.uniform(1.5, 2.5)]


def _entry(x: Tensor, i: int, j: int, beta: float = 1.0) -> Tensor:
    x = x.clone().requires_grad_()
    return torch.autograd.grad((beta * x).softmax(0)[i], x)[0][j]


def _es(x: Tensor) -> tuple[Tensor, Tensor]:
    return x.exp(), x.exp().sum()


def _y(x: Tensor, i: int) -> Tensor:
    return x.softmax(0)[i]


def _line(formula):
    """A rung from a formula of e_i, e_j and S."""

    def rung(x, i, j, beta):
        e, s = _es(x)
        return formula(e[i], e[j], s)

    return rung


def _in_y(formula):
    """A rung from a formula of y_i and y_j."""
    return lambda x, i, j, beta: formula(_y(x, i), _y(x, j))


def _sharpened(formula):
    """A rung from a formula of y_i, y_j and beta, with y the softmax of beta x."""
    return lambda x, i, j, beta: formula(_y(beta * x, i), _y(beta * x, j), beta)


LINES = (
    _line(lambda a, b, s: (a * s - a * a) / s**2),
    _line(lambda a, b, s: a / s * ((s - a) / s)),
    _in_y(lambda y, z: y * (1 - y)),
    _line(lambda a, b, s: (0 * s - a * b) / s**2),
    _in_y(lambda y, z: -y * z),
    _sharpened(lambda y, z, beta: -beta * y * z),
)


def _by_loop(x, i, j, beta):
    total = 0.0
    for score in x.tolist():
        total += torch.tensor(score).double().exp()
    return (x[i].exp() * total - x[i].exp() ** 2) / total**2


softmax_derivative = LadderExam(
    exercise="softmax_derivative",
    covers=("Bt11",),
    rungs=(
        Rung(SAME_QUOTIENT, LINES[0], truth=lambda x, i, j, b: _entry(x, i, i)),
        Rung(SPLIT, LINES[1]),
        Rung(SAME, LINES[2]),
        Rung(OTHER_QUOTIENT, LINES[3], truth=lambda x, i, j, beta: _entry(x, i, j)),
        Rung(OTHER, LINES[4]),
        Rung(BETA, LINES[5], truth=_entry),
    ),
    draw=_point,
    forbidden=AUTOGRAD,
    criteria=(
        RungCriterion(f"rung 1: {SAME_QUOTIENT}", 1, SAME_QUOTIENT),
        RungCriterion(f"rung 2: {SPLIT}", 0.5, SPLIT),
        RungCriterion(f"rung 3: {SAME}", 1, SAME),
        RungCriterion(f"rung 4: {OTHER_QUOTIENT}", 1, OTHER_QUOTIENT),
        RungCriterion(f"rung 5: {OTHER}", 0.5, OTHER),
        RungCriterion(f"rung 6: {BETA}", 1, BETA),
    ),
    slips=(
        Slip(
            SAME_QUOTIENT,
            "kept-s-fixed",
            "You kept S fixed: S contains e^{x_i} too, so the second term − u v′ is missing.",
            _line(lambda a, b, s: a / s),
        ),
        Slip(
            SAME_QUOTIENT,
            "plus-minus",
            "A plus for a minus: the quotient rule is (u′v − u v′)/v².",
            _line(lambda a, b, s: (a * s + a * a) / s**2),
        ),
        Slip(
            SAME_QUOTIENT,
            "divide-s-quotient-rule-divides",
            "You divide by S; the quotient rule divides by its square.",
            _line(lambda a, b, s: (a * s - a * a) / s),
        ),
        Slip(
            SAME_QUOTIENT,
            "two-terms-wrong-way-round",
            "The two terms are the wrong way round: u′v comes first, then − u v′.",
            _line(lambda a, b, s: (a * a - a * s) / s**2),
        ),
        Slip(
            SAME_QUOTIENT,
            "took-s-own-derivative",
            "You took S for its own derivative: only one term of the sum depends on x_i, so ∂S/∂x_i is e^{x_i}.",
            _line(lambda a, b, s: (a * s - a * s) / s**2),
        ),
        Slip(
            SPLIT,
            "s-lost",
            "One S is lost: S² gives one S to each factor, e_i/S and (S − e_i)/S.",
            _line(lambda a, b, s: a / s * (s - a)),
        ),
        Slip(
            SPLIT,
            "divided-only-s-s",
            "You divided only S by S: in (S − e_i)/S the term e_i is divided too.",
            _line(lambda a, b, s: a / s * (1 - a)),
        ),
        Slip(
            SAME,
            "factor-y-i-lost",
            "The factor y_i is lost: e_i/S stands in front and is y_i.",
            _in_y(lambda y, z: 1 - y),
        ),
        Slip(SAME, "s-s-1-not-y", "S/S is 1, not y_i: (S − e_i)/S = 1 − y_i.", _in_y(lambda y, z: y * y * (1 - y))),
        Slip(
            SAME,
            "minus-became-plus",
            "The minus became a plus: (S − e_i)/S = 1 − y_i.",
            _in_y(lambda y, z: y * (1 + y)),
        ),
        Slip(
            SAME,
            "index-slipped-i-j-factors",
            "An index slipped: for i = j both factors belong to i, y_i (1 − y_i).",
            _in_y(lambda y, z: y * (1 - z)),
        ),
        Slip(
            OTHER_QUOTIENT,
            "numerator-e-i-not-contain",
            "The numerator e_i does not contain x_j: for i ≠ j its derivative u′ is 0.",
            _line(lambda a, b, s: (a * s - a * b) / s**2),
        ),
        Slip(
            OTHER_QUOTIENT,
            "minus-quotient-rule-lost",
            "The minus of the quotient rule is lost.",
            _line(lambda a, b, s: a * b / s**2),
        ),
        Slip(
            OTHER_QUOTIENT,
            "divide-s-quotient-rule-divides",
            "You divide by S; the quotient rule divides by its square.",
            _line(lambda a, b, s: -a * b / s),
        ),
        Slip(
            OTHER_QUOTIENT,
            "differentiated-s-x-i",
            "You differentiated S by x_i: by x_j it is e_j.",
            _line(lambda a, b, s: -a * a / s**2),
        ),
        Slip(
            OTHER_QUOTIENT,
            "put-u-0-dropped-u",
            "You put u′ = 0 and dropped u v′ with it: S contains x_j.",
            lambda x, i, j, beta: 0.0 * x[0],
        ),
        Slip(OTHER, "sign-lost", "The sign is lost: raising x_j lowers y_i.", _in_y(lambda y, z: y * z)),
        Slip(
            OTHER,
            "case-i-j-again",
            "This is the case i = j again: here nothing is left of u′v, so there is no 1.",
            _in_y(lambda y, z: y * (1 - z)),
        ),
        Slip(OTHER, "factor-lost", "One factor is lost: e_i e_j / S² is y_i y_j.", _in_y(lambda y, z: -y)),
        Slip(
            BETA,
            "dropped-chain-rule",
            "You dropped the chain rule: the inner derivative of beta·x_j is beta.",
            _sharpened(lambda y, z, beta: -y * z),
        ),
        Slip(
            BETA,
            "chain-rule-y-softmax-beta",
            "You have the chain rule, but y must be the softmax of beta·x, not of x.",
            lambda x, i, j, beta: -beta * _y(x, i) * _y(x, j),
        ),
        Slip(
            BETA,
            "divide-beta",
            "You divide by beta: the inner derivative multiplies.",
            _sharpened(lambda y, z, beta: -y * z / beta),
        ),
        Slip(
            BETA,
            "beta-appears-once-too-often",
            "Beta appears once too often: x_j is inside once, so one factor beta comes out.",
            _sharpened(lambda y, z, beta: -(beta**2) * y * z),
        ),
        Slip(
            BETA, "sign-lost", "The sign is lost: raising x_j lowers y_i.", _sharpened(lambda y, z, beta: beta * y * z)
        ),
    ),
    accepted=(
        LINES,
        (_by_loop, LINES[0], LINES[2], lambda x, i, j, beta: -(x[i] + x[j]).exp() / x.exp().sum() ** 2, *LINES[4:]),
        dict(
            zip(
                (SPLIT, SAME_QUOTIENT, SAME, OTHER_QUOTIENT, OTHER, BETA), (LINES[1], LINES[0], *LINES[2:]), strict=True
            )
        ),
        [lambda x, i, j, beta, line=line: float(line(x.float(), i, j, beta)) for line in LINES],
        (*LINES[:2], lambda z, i, j, b: (z.softmax(0) - z.softmax(0) ** 2)[i], *LINES[3:]),
    ),
)
