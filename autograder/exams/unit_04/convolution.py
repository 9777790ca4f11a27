"""A convolution made of heads, one for each position that it looks at."""

from functools import partial

from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_04.looking import SOFT, STYLES, Head, at
from course_lib.nn import handmade_heads


def _tokens_and_kernel(draw: Draw) -> list[Tensor]:
    n, d, d_out = (size for size in draw.sizes(8) if size in (4, 5, 6))  # not 3, which is the width of the kernel
    return [draw.normal(2, n, d), draw.normal(d_out, d, 3)]


def _convolve(
    x, kernel, *, border="zeros", taps=(0, 1, 2), start=-1, factor=1.0, beta=1e4, order=1, projected=True
) -> list[Head]:
    """Tap o of the kernel, after a change of order, on token i + o + start."""
    heads = []
    for o, tap in enumerate(taps):
        q, k, v = at(x, o + start, border, beta)
        heads.append((q, k, factor * v @ kernel[:, :, tap].T if projected else v))
    return heads[::order]


def _in_style(style, x, kernel):
    """One head in this style for each offset."""
    heads = []
    for offset in (-1, 0, 1):
        q, k, v = style(x, offset)
        heads.append((q, k, v @ kernel[:, :, offset + 1].transpose(0, 1)))
    return tuple(heads)


convolution_head = CodeExam(
    exercise="convolution_head",
    covers=("D1.3d",),
    function=handmade_heads.convolution_head,
    outputs=("head 0", "head 1", "head 2"),
    forbidden=("torch.nn.functional.conv1d", "torch.conv1d", "torch.nn.Conv1d"),
    criteria=(
        CodeCriterion(
            "one head each for the tokens before, at and after",
            1.5,
            _tokens_and_kernel,
            "weights of the convolution",
        ),
        CodeCriterion("each head's part of F.conv1d", 1.5, _tokens_and_kernel, "outputs of the convolution"),
        CodeCriterion(
            "gradients reach x and the kernel",
            0.5,
            _tokens_and_kernel,
            "gradients of the convolution",
            side=True,
        ),
        CodeCriterion("the arguments are left unchanged", 0.5, _tokens_and_kernel, "arguments after", side=True),
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
            "Your three heads attend to tokens i − 2, i − 1 and i; expected i − 1, i and i + 1.",
            partial(_convolve, start=-2),
            hint="three heads",
        ),
        Misconception(
            "start-0",
            "Your three heads attend to tokens i, i + 1 and i + 2; expected i − 1, i and i + 1.",
            partial(_convolve, start=0),
            hint="three heads",
        ),
        Misconception(
            "heads-in-reverse",
            "Your heads come in the order of the offsets 1, 0, −1; expected −1, 0, 1.",
            partial(_convolve, order=-1),
            hint="three heads",
        ),
        Misconception(
            "average-heads-add-them",
            "You divide each head by 3; the outputs are added, not averaged.",
            partial(_convolve, factor=1 / 3),
            hint="nearly there",
        ),
        Misconception(
            "border-wrap",
            "Your ends wrap around; beyond the first and the last token there are zeros.",
            partial(_convolve, border="wrap"),
            hint="the ends",
        ),
        Misconception(
            "border-repeat",
            "Your ends repeat the first and the last token; beyond them there are zeros.",
            partial(_convolve, border="repeat"),
            hint="the ends",
        ),
        Misconception(
            "one-head-for-all",
            "You return three times the same head, which attends to token i; expected offsets −1, 0 and 1.",
            lambda x, kernel: [_convolve(x, kernel)[1]] * 3,
            hint="three heads",
        ),
        Misconception("soft", SOFT, partial(_convolve, beta=1.0), hint="nearly there"),
        Misconception(
            "use-middle-kernel-three-places",
            "You use the middle of the kernel for all three offsets; each head has a matrix of its own.",
            partial(_convolve, taps=(1, 1, 1)),
            hint="three heads",
        ),
        Misconception(
            "without-kernel",
            "Your values are the tokens; multiply them by the head's own matrix, kernel[:, :, o].T.",
            partial(_convolve, projected=False),
            hint="three heads",
        ),
    ),
    accepted=(*(partial(_in_style, style) for style in STYLES), _convolve),
    shortcuts=(
        lambda x, kernel: [(x, x, x)] * 3,
        lambda x, kernel: [(0 * x, 0 * x, x @ kernel[:, :, o].T) for o in range(3)],
        lambda x, kernel: [x @ kernel[:, :, o].T for o in range(3)],
    ),
)
