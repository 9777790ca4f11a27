"""A convolution made of heads, one for each place that it looks at."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_04.looking import SOFT, STYLES, at, soft
from course_lib.nn import handmade_heads


def _tokens_and_kernel(draw: Draw) -> list[Tensor]:
    n, d, d_out = (size for size in draw.sizes(8) if size in (4, 5, 6))  # not 3, which is the width of the kernel
    return [draw.normal(2, n, d), draw.normal(d_out, d, 3)]


def _convolve(x, kernel, *, border="zeros", taps=(0, 1, 2), start=-1, factor=1.0, looks=at):
    """Tap o of the kernel, after a change of order, on token i + o + start."""
    views = [at(x, o + start, border) if looks is at else looks(x, o + start) for o in range(3)]
    return factor * sum(view @ kernel[:, :, tap].T for view, tap in zip(views, taps, strict=True))


def _one_head_for_all(x, kernel):
    return sum(at(x, o) for o in (-1, 0, 1)) / 3 @ kernel.sum(-1).T


convolution_head = CodeExam(
    exercise="convolution_head",
    covers=("D1.3d",),
    function=handmade_heads.convolution_head,
    outputs=("output",),
    forbidden=("torch.nn.functional.conv1d", "torch.conv1d", "torch.nn.Conv1d"),
    criteria=(
        CodeCriterion("the numbers of F.conv1d", 3, _tokens_and_kernel, visible=True, fixed=(3,)),
        CodeCriterion("gradients reach x and the kernel", 0.5, _tokens_and_kernel, "gradients"),
        CodeCriterion("the arguments are left unchanged", 0.5, _tokens_and_kernel, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "kernel-flipped",
            "Your kernel is flipped: kernel[:, :, 0] belongs to the token before, kernel[:, :, 2] to the one after.",
            partial(_convolve, taps=(2, 1, 0)),
            hint="three heads",
        ),
        Misconception(
            "start-minus-2",
            "Your three heads look at tokens i − 2, i − 1 and i; the middle of the kernel belongs to token i.",
            partial(_convolve, start=-2),
            hint="three heads",
        ),
        Misconception(
            "start-0",
            "Your three heads look at tokens i, i + 1 and i + 2; the middle of the kernel belongs to token i.",
            partial(_convolve, start=0),
            hint="three heads",
        ),
        Misconception(
            "average-heads-add-them",
            "You average the heads; add them.",
            partial(_convolve, factor=1 / 3),
            hint="nearly there",
        ),
        Misconception(
            "border-wrap",
            "Your ends wrap around: beyond the first and the last token there are zeros.",
            partial(_convolve, border="wrap"),
            hint="the ends",
        ),
        Misconception(
            "border-repeat",
            "Your ends repeat the first and the last token: beyond them there are zeros.",
            partial(_convolve, border="repeat"),
            hint="the ends",
        ),
        Misconception(
            "one-head-for-all",
            "You use one head for all three places, which can only average them: take one head for each.",
            _one_head_for_all,
            hint="three heads",
        ),
        Misconception("soft", SOFT, partial(_convolve, looks=soft), hint="nearly there"),
        Misconception(
            "use-middle-kernel-three-places",
            "You use the middle of the kernel for all three places: each head has a matrix of its own.",
            partial(_convolve, taps=(1, 1, 1)),
            hint="three heads",
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
