"""Softmax along a dimension, finite for large scores."""

from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import softmax as reference

BUILT_IN_SOFTMAX = (
    "torch.softmax",
    "torch.log_softmax",
    "torch.Tensor.softmax",
    "torch.Tensor.log_softmax",
    "torch.nn.functional.softmax",
    "torch.nn.functional.log_softmax",
    "torch.nn.Softmax",
    "torch.nn.LogSoftmax",
)


def _middle_of_three(draw: Draw) -> Arguments:
    return [draw.normal(*draw.sizes(3)), 1]


def _all_positive(draw: Draw) -> Arguments:
    return [draw.normal(*draw.sizes(3)).abs() + 1, 1]


def _from_the_end(draw: Draw) -> Arguments:
    return [draw.normal(2, *draw.sizes(3)), -2]


def _large_scores(draw: Draw) -> Arguments:
    """A row near 1000, one near −1000, the others between."""
    rows, n = draw.sizes(2)
    offsets = torch.linspace(990.0, -990.0, rows)[:, None]
    return [offsets.round() + 2 * draw.normal(rows, n).clamp(-4, 4), -1]


def _flawed_softmax(x, dim, *, axis="dim", shift="own", form="right"):
    over = {"dim": dim, "last": -1, "first": 0, "all": tuple(range(x.ndim))}[axis]
    top = x.amax(over, keepdim=True)
    shifted = {
        "own": x - top,
        "none": x,
        "all": x - x.max(),
        "wrong way": top - x,
        "cut": x.clamp(-50, 50),
        "divided": x / top,
    }[shift]
    if form == "no exp":
        return shifted / shifted.sum(over, keepdim=True)
    if form == "log":
        return shifted - shifted.logsumexp(over, keepdim=True)
    exp = shifted.exp()
    return exp / exp.sum(over, keepdim=True)


def _changes_its_argument(x, dim):
    x -= x.amax(dim, keepdim=True).detach()
    return reference.softmax(x, dim)


def _softmax_by_rows(x, dim):
    rows = x.movedim(dim, -1)
    flat = rows.reshape(-1, rows.shape[-1])
    done = [torch.exp(row - max(row)) / sum(torch.exp(row - max(row))) for row in flat]
    return torch.stack(done).reshape(rows.shape).movedim(-1, dim)


def _softmax_of_differences(x: Tensor, dim: int) -> Tensor:
    """1 / Σ_j exp(x_j − x_i): an overflow in the sum is a weight of 0."""
    x = x.movedim(dim, -1)
    return (1 / (x[..., None, :] - x[..., :, None]).exp().sum(-1)).movedim(-1, dim)


def _softmax_with_max(x, dim):
    e = torch.exp(x - torch.max(x, dim=dim, keepdim=True).values)
    return e / torch.sum(e, dim=dim, keepdim=True)


softmax = CodeExam(
    exercise="softmax",
    function=reference.softmax,
    outputs=("y",),
    forbidden=BUILT_IN_SOFTMAX,
    criteria=(
        CodeCriterion("along the dimension asked for", 1.5, _middle_of_three, visible=True),
        CodeCriterion("finite for scores up to ±1000", 1, _large_scores, visible=True),
        CodeCriterion("a dimension counted from the end", 0.5, _from_the_end),
        CodeCriterion("gradients reach x", 0.5, _all_positive, "gradients"),
        CodeCriterion("x is left unchanged", 0.5, _middle_of_three, "arguments after", visible=True),
    ),
    misconceptions=(
        Misconception(
            "shift-none",
            "Your exp overflows or vanishes for large scores: subtract the maximum along dim first.",
            partial(_flawed_softmax, shift="none"),
            hint="which shift",
        ),
        Misconception(
            "shift-all",
            "You subtract the largest entry of the whole tensor: rows far below it become 0/0. Use each row's own.",
            partial(_flawed_softmax, shift="all"),
            hint="nearly there",
        ),
        Misconception(
            "axis-last",
            "Your softmax always runs over the last dimension: use dim, in the maximum and in the sum.",
            partial(_flawed_softmax, axis="last"),
            hint="three lines",
        ),
        Misconception(
            "axis-first",
            "Your softmax always runs over the first dimension: use dim, in the maximum and in the sum.",
            partial(_flawed_softmax, axis="first"),
            hint="three lines",
        ),
        Misconception(
            "axis-all",
            "Your whole tensor sums to 1: the sum runs along dim only, with keepdim=True.",
            partial(_flawed_softmax, axis="all"),
            hint="three lines",
        ),
        Misconception(
            "shift-wrong-way",
            "You subtract the wrong way round, maximum − x, so the smallest score wins: take x − maximum.",
            partial(_flawed_softmax, shift="wrong way"),
            hint="nearly there",
        ),
        Misconception(
            "shift-cut",
            "You cut large scores off, so all scores beyond the cut look alike: shift them by their maximum instead.",
            partial(_flawed_softmax, shift="cut"),
            hint="which shift",
        ),
        Misconception(
            "shift-divided",
            "You divide by the maximum, which changes the weights: subtract it, which does not.",
            partial(_flawed_softmax, shift="divided"),
            hint="which shift",
        ),
        Misconception(
            "form-no-exp",
            "You divide the scores by their sum: the exponential is missing.",
            partial(_flawed_softmax, form="no exp"),
            hint="three lines",
        ),
        Misconception(
            "form-log",
            "You return the logarithm of the softmax: take exp of it.",
            partial(_flawed_softmax, form="log"),
            hint="three lines",
        ),
        Misconception(
            "changes-its-argument",
            "You change x in place (-= does): compute a new tensor, x - …",
            _changes_its_argument,
            hint="nearly there",
        ),
    ),
    accepted=(
        lambda x, dim: (x - x.logsumexp(dim, keepdim=True)).exp(),
        _softmax_by_rows,
        _softmax_of_differences,
        _softmax_with_max,
    ),
)
