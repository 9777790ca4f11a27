"""Heads set by hand: attention over positions that copies, shifts and convolves."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.draw import Draw
from autograder.exam import Misconception
from autograder.exams.unit_04.heads import small_sizes
from autograder.kinds import CodeCriterion, CodeExam
from course_lib import handmade_heads
from course_lib.attention import scaled_dot_product_attention


def _tokens(draw: Draw) -> list[Tensor]:
    b, n, d, _ = small_sizes(draw)
    return [draw.normal(b, n, d)]


def _alike_tokens(draw: Draw) -> list[Tensor]:
    """The first token points the same way as the second, which is longer: content cannot tell it from itself."""
    (x,) = _tokens(draw)
    return [torch.cat([x[:, 1:2] / 2, x[:, 1:]], 1)]


def _tokens_and_kernel(draw: Draw) -> list[Tensor]:
    n, d, d_out = (size for size in draw.sizes(8) if size in (4, 5, 6))  # not 3, which is the width of the kernel
    return [draw.normal(2, n, d), draw.normal(d_out, d, 3)]


def _at(x: Tensor, offset: int, border: str = "zeros") -> Tensor:
    """Token i + offset for each i; the border says what stands where there is no such token."""
    n = x.shape[-2]
    places = torch.arange(n) + offset
    if border == "wrap":
        return x[..., places % n, :]
    there = ((places >= 0) & (places < n)).to(x.dtype)[:, None]
    taken = x[..., places.clamp(0, n - 1), :]
    if border == "repeat":
        return taken
    absent = x.mean(-2, keepdim=True) if border == "mean" else 0.0
    return taken * there + absent * (1 - there)


def _soft(x: Tensor, offset: int, beta: float = 1.0) -> Tensor:
    """Positions compared without a sharp beta, the border as zeros."""
    n = x.shape[-2]
    places = torch.eye(n + 2)
    weights = (beta * places[1 + offset : 1 + offset + n] @ places.T / math.sqrt(n + 2)).softmax(-1)
    return weights @ F.pad(x, (0, 0, 1, 1))


def _by_mask(x: Tensor, offset: int) -> Tensor:
    """A mask that leaves one position open, and an empty token for those that have none."""
    n = x.shape[-2]
    blocked = torch.ones(n, n + 1, dtype=torch.bool)
    for i in range(n):
        blocked[i, i + offset if 0 <= i + offset < n else n] = False
    scores = torch.zeros(n, n + 1).masked_fill(blocked, float("-inf"))
    return scores.softmax(-1) @ F.pad(x, (0, 0, 0, 1))


def _by_column_attention(x: Tensor, offset: int) -> Tensor:
    n = x.shape[-2]
    scores = torch.zeros(n + 2, n)
    scores[torch.arange(n) + 1 + offset, torch.arange(n)] = 1e4
    return (F.pad(x, (0, 0, 1, 1)).mT @ scores.softmax(0)).mT


def _by_distance(x: Tensor, offset: int) -> Tensor:
    """Scores that fall with the squared distance from the wanted position."""
    wanted = torch.arange(x.shape[-2])[:, None] + offset
    keys = torch.arange(-1, x.shape[-2] + 1)[None]
    return (-100.0 * (wanted - keys) ** 2).softmax(-1) @ F.pad(x, (0, 0, 1, 1))


def _by_content(x: Tensor, beta: float = 1.0) -> Tensor:
    return scaled_dot_product_attention(beta * x, x, x)[0]


STYLES = (_by_mask, _by_column_attention, _by_distance, lambda x, offset: _at(x, offset))
BY_CONTENT = "Your tokens find each other by content, so alike ones are mixed: make queries and keys from positions."
SOFT = "Your beta is too small, so other tokens leak in: make the scores so far apart that the softmax is 0 or 1."

identity_head = CodeExam(
    exercise="identity_head",
    covers=("D1.3c",),
    function=handmade_heads.identity_head,
    outputs=("output",),
    criteria=(CodeCriterion("every token is copied", 1, _alike_tokens, visible=True),),
    misconceptions=(
        Misconception(BY_CONTENT, _by_content, 1),
        Misconception(
            "Your tokens find each other by content, and a longer one that points the same way wins: make queries and "
            "keys from positions.",
            partial(_by_content, beta=1e4),
            1,
        ),
        Misconception(SOFT, lambda x: (torch.eye(x.shape[-2]) / math.sqrt(x.shape[-2])).softmax(-1) @ x, 3),
        Misconception(
            "Your weights are all equal, so every token becomes the mean: beta 0 averages, a large beta copies.",
            lambda x: x.mean(-2, keepdim=True).expand_as(x).clone(),
            3,
        ),
        Misconception(
            "You return the weights: multiply them with the values.",
            lambda x: torch.eye(x.shape[-2]).expand(*x.shape[:-1], -1).clone(),
            3,
        ),
        Misconception("Each of your tokens looks at the one before it.", lambda x: _at(x, -1), 2),
    ),
    accepted=tuple(partial(style, offset=0) for style in STYLES),
)

shift_head = CodeExam(
    exercise="shift_head",
    covers=("D1.3c",),
    function=handmade_heads.shift_head,
    outputs=("output",),
    forbidden=("torch.roll",),
    criteria=(
        CodeCriterion("every token gets the one before it", 1.5, _tokens, visible=True),
        CodeCriterion("the argument is left unchanged", 0.5, _tokens, "arguments after"),
    ),
    misconceptions=(
        Misconception("You shift the other way: output i is token i − 1.", lambda x: _at(x, 1), 1),
        Misconception(
            "Your first output is the last token; before the first token there is nothing, so it is 0.",
            lambda x: _at(x, -1, "wrap"),
            2,
        ),
        Misconception(
            "Your first output is the first token itself; before it there is nothing, so it is 0.",
            lambda x: _at(x, -1, "repeat"),
            2,
        ),
        Misconception(
            "Your first query matches no key, so its weights are equal and it gets the mean: give it a row of zeros to "
            "look at.",
            lambda x: _at(x, -1, "mean"),
            2,
        ),
        Misconception(SOFT, partial(_soft, offset=-1), 3),
        Misconception("Each of your tokens looks at itself: shift the queries by one.", lambda x: _at(x, 0), 1),
        Misconception(BY_CONTENT, _by_content, 1),
    ),
    accepted=tuple(partial(style, offset=-1) for style in STYLES),
)


def _convolve(x, kernel, *, border="zeros", taps=(0, 1, 2), start=-1, factor=1.0, looks=_at):
    """Tap o of the kernel, after a change of order, on token i + o + start."""
    views = [_at(x, o + start, border) if looks is _at else looks(x, o + start) for o in range(3)]
    return factor * sum(view @ kernel[:, :, tap].T for view, tap in zip(views, taps, strict=True))


def _one_head_for_all(x, kernel):
    return sum(_at(x, o) for o in (-1, 0, 1)) / 3 @ kernel.sum(-1).T


convolution_head = CodeExam(
    exercise="convolution_head",
    covers=("D1.3d",),
    function=handmade_heads.convolution_head,
    outputs=("output",),
    forbidden=("torch.nn.functional.conv1d", "torch.conv1d", "torch.nn.Conv1d"),
    criteria=(
        CodeCriterion("the numbers of F.conv1d", 3, _tokens_and_kernel, visible=True),
        CodeCriterion("gradients reach x and the kernel", 0.5, _tokens_and_kernel, "gradients"),
        CodeCriterion("the arguments are left unchanged", 0.5, _tokens_and_kernel, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "Your kernel is flipped: kernel[:, :, 0] belongs to the token before, kernel[:, :, 2] to the one after.",
            partial(_convolve, taps=(2, 1, 0)),
            2,
        ),
        Misconception(
            "Your three heads look at tokens i − 2, i − 1 and i; the middle of the kernel belongs to token i.",
            partial(_convolve, start=-2),
            2,
        ),
        Misconception(
            "Your three heads look at tokens i, i + 1 and i + 2; the middle of the kernel belongs to token i.",
            partial(_convolve, start=0),
            2,
        ),
        Misconception("You average the heads; add them.", partial(_convolve, factor=1 / 3), 3),
        Misconception(
            "Your ends wrap around: beyond the first and the last token there are zeros.",
            partial(_convolve, border="wrap"),
            1,
        ),
        Misconception(
            "Your ends repeat the first and the last token: beyond them there are zeros.",
            partial(_convolve, border="repeat"),
            1,
        ),
        Misconception(
            "You use one head for all three places, which can only average them: take one head for each.",
            _one_head_for_all,
            2,
        ),
        Misconception(SOFT, partial(_convolve, looks=_soft), 3),
        Misconception(
            "You use the middle of the kernel for all three places: each head has a matrix of its own.",
            partial(_convolve, taps=(1, 1, 1)),
            2,
        ),
    ),
    accepted=(
        *(partial(_convolve, looks=style) for style in STYLES[:3]),
        lambda x, kernel: sum(F.pad(x, (0, 0, 1, 1))[..., o : o + x.shape[-2], :] @ kernel[..., o].T for o in range(3)),
        lambda x, kernel: sum(
            torch.diag(torch.ones(x.shape[-2] - abs(o)), o) @ x @ kernel[:, :, o + 1].T for o in (-1, 0, 1)
        ),
    ),
)
