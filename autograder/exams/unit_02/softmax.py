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
    """Of three, −2 is 1, and 2 is another one."""
    return [draw.normal(*draw.sizes(3)), -2]


def _large_scores(draw: Draw) -> Arguments:
    """Rows that mix scores near 1000, 0 and −1000: whatever is subtracted but the maximum, something goes wrong.

    Each other number does so in other rows: the least, the mean, the first or the last of a row, the largest of all.
    """
    more_rows, n = draw.sizes(2)
    noise = 2 * draw.normal(more_rows + 1, n).clamp(-4, 4)
    x = noise + torch.linspace(980.0, -980.0, len(noise))[:, None].round()
    x[0, 1] = -1000.0
    x[1] = noise[1]
    x[1, n // 2] = 997.0
    x[2] = 0.1 * noise[2]
    x[2, n - 1] = 92.0  # overflows when the minimum is subtracted, and does not when the mean is
    return [x, -1]


def _flawed_softmax(x, dim, *, axis="dim", shift="own", form="right", total="dim"):
    over = {"dim": dim, "last": -1, "first": 0, "all": tuple(range(x.ndim))}[axis]
    top = x.amax(over, keepdim=True)
    shifted = {
        "own": x - top,
        "none": x,
        "all": x - x.max(),
        "smallest": x - x.amin(over, keepdim=True),
        "mean": x - x.mean(over, keepdim=True),
        "wrong way": top - x,
        "cut": x.clamp(-50, 50),
        "divided": x / top,
        "norm": x / x.square().sum(over, keepdim=True).sqrt(),
    }[shift]
    if form == "no exp":
        return shifted / shifted.sum(over, keepdim=True)
    if form == "log":
        return shifted - shifted.logsumexp(over, keepdim=True)
    if form == "sigmoid":
        return x.sigmoid() / x.sigmoid().sum(over, keepdim=True)
    exp = shifted.exp()
    if form == "not divided":
        return exp
    if form == "mended":
        return (x.exp() / x.exp().sum(over, keepdim=True)).nan_to_num(0.0)
    return exp / (exp.sum() if total == "everything" else exp.sum(over, keepdim=True))


def _cut_at(low: float, high: float):
    """Scores clamped to what exp can take."""
    return lambda x, dim: reference.softmax(x.clamp(low, high), dim)


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


def _softmax_with_detached_max(x, dim=-1):
    """The shift cancels, so its gradient need not be followed."""
    z = x - x.max(dim=dim, keepdim=True)[0].detach()
    numerator = z.exp()
    return numerator.div(numerator.sum(dim=dim, keepdim=True))


def _softmax_transposed(x, dim):
    x = x.transpose(dim, -1)
    exps = torch.exp(x - x.max(-1)[0].unsqueeze(-1))
    return (exps / exps.sum(-1).unsqueeze(-1)).transpose(dim, -1)


softmax = CodeExam(
    exercise="softmax",
    function=reference.softmax,
    outputs=("y",),
    forbidden=BUILT_IN_SOFTMAX,
    criteria=(
        CodeCriterion("along dim", 1.5, _middle_of_three),
        CodeCriterion("finite for scores up to ±1000", 1, _large_scores),
        CodeCriterion("a dimension counted from the end", 0.5, _from_the_end),
        CodeCriterion("gradients reach x", 0.5, _all_positive, "gradients", side=True),
        CodeCriterion("x is left unchanged", 0.5, _middle_of_three, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "shift-none",
            "Your exp overflows or vanishes for large scores. Subtract the maximum along dim first.",
            partial(_flawed_softmax, shift="none"),
            hint="which shift",
        ),
        Misconception(
            "shift-smallest",
            "You subtract the minimum, so of 1000 and −1000 the larger becomes 2000, and e^2000 overflows. "
            "Subtract the maximum.",
            partial(_flawed_softmax, shift="smallest"),
            hint="which shift",
        ),
        Misconception(
            "shift-mean",
            "You subtract the mean, so a score far above it still overflows. Subtract the maximum.",
            partial(_flawed_softmax, shift="mean"),
            hint="which shift",
        ),
        Misconception(
            "shift-all",
            "You subtract the largest entry of the whole tensor, so rows far below it become 0/0. "
            "Subtract each row's own maximum.",
            partial(_flawed_softmax, shift="all"),
            hint="nearly there",
        ),
        Misconception(
            "axis-last",
            "Your softmax always runs over the last dimension. Use dim, in the maximum and in the sum.",
            partial(_flawed_softmax, axis="last"),
            hint="three lines",
        ),
        Misconception(
            "axis-first",
            "Your softmax always runs over the first dimension. Use dim, in the maximum and in the sum.",
            partial(_flawed_softmax, axis="first"),
            hint="three lines",
        ),
        Misconception(
            "axis-all",
            "Your whole tensor sums to 1. Take the sum along dim only, with keepdim=True.",
            partial(_flawed_softmax, axis="all"),
            hint="three lines",
        ),
        Misconception(
            "total-everything",
            "You divide by the sum of the whole tensor. Take the sum along dim only, with keepdim=True.",
            lambda x, dim: _flawed_softmax(x, dim, total="everything"),
            hint="three lines",
        ),
        Misconception(
            "shift-wrong-way",
            "You compute maximum − x, so the smallest score gets the largest weight; expected x − maximum.",
            partial(_flawed_softmax, shift="wrong way"),
            hint="nearly there",
        ),
        Misconception(
            "shift-cut",
            "You clamp the scores, so all scores beyond the limit look alike. Subtract their maximum instead.",
            partial(_flawed_softmax, shift="cut"),
            hint="which shift",
        ),
        *(
            Misconception(
                "shift-cut",
                "You clamp the scores, so all scores beyond the limit look alike. Subtract their maximum instead.",
                _cut_at(low, high),
                hint="which shift",
            )
            for low, high in ((-80, 80), (-88, 88), (-100, 100), (-1e9, 80), (-1e9, 88), (-500, 500))
        ),
        Misconception(
            "mended",
            "You replace the NaN after the overflow, so weight is lost. Prevent it: subtract the maximum first.",
            lambda x, dim: _flawed_softmax(x, dim, form="mended"),
            hint="which shift",
        ),
        Misconception(
            "shift-divided",
            "You divide by the maximum, which changes the weights. Subtract it; that changes nothing.",
            partial(_flawed_softmax, shift="divided"),
            hint="which shift",
        ),
        Misconception(
            "shift-norm",
            "You divide by the norm of the scores, which changes the weights. Subtract the maximum instead.",
            lambda x, dim: _flawed_softmax(x, dim, shift="norm"),
            hint="which shift",
        ),
        Misconception(
            "form-no-exp",
            "You divide the scores by their sum: the exponential is missing.",
            partial(_flawed_softmax, form="no exp"),
            hint="three lines",
        ),
        Misconception(
            "form-no-exp",
            "You divide the scores by their sum: the exponential is missing.",
            lambda x, dim: x / x.sum(dim, keepdim=True),
            hint="three lines",
        ),
        Misconception(
            "form-not-divided",
            "You return the exponentials: divide them by their sum along dim.",
            partial(_flawed_softmax, form="not divided"),
            hint="three lines",
        ),
        Misconception(
            "form-sigmoid",
            "You use the sigmoid of each score; expected its exponential.",
            partial(_flawed_softmax, form="sigmoid"),
            hint="three lines",
        ),
        Misconception(
            "form-log",
            "You return the logarithm of the softmax. Take exp of it.",
            partial(_flawed_softmax, form="log"),
            hint="three lines",
        ),
        Misconception(
            "changes-its-argument",
            "You change x in place (-= does). Compute a new tensor, x - …",
            _changes_its_argument,
            hint="nearly there",
        ),
    ),
    accepted=(
        lambda x, dim: (x - x.logsumexp(dim, keepdim=True)).exp(),
        _softmax_by_rows,
        _softmax_of_differences,
        _softmax_with_max,
        _softmax_with_detached_max,
        _softmax_transposed,
    ),
)
