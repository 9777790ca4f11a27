"""Counting the weights of multi-head attention."""

from torch import nn

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_04.heads import small_sizes
from course_lib.nn import multihead


def _sizes(draw: Draw) -> list[int]:
    heads, d_head = small_sizes(draw)[:2]
    return [heads * d_head, heads]


parameter_count = CodeExam(
    exercise="parameter_count",
    covers=("Bc2",),
    function=multihead.parameter_count,
    outputs=("count",),
    criteria=(
        CodeCriterion("several heads", 1.5, _sizes),
        CodeCriterion("one head", 0.5, lambda draw: [_sizes(draw)[0], 1]),
    ),
    misconceptions=(
        Misconception(
            "forget-biases",
            "You leave out the biases; every nn.Linear has one.",
            lambda d, h: 4 * d * d,
            hint="one layer",
        ),
        Misconception(
            "give-every-head-full-size",
            "You give every head full-size matrices; heads share one matrix by cutting it into pieces.",
            lambda d, h: 4 * h * (d * d + d),
            hint="one layer",
        ),
        Misconception(
            "count-head-only-heads-together",
            "You count one head only; all heads together fill the whole matrices.",
            lambda d, h: 4 * (d * (d // h) + d // h),
            hint="one layer",
        ),
        Misconception(
            "count-right-not-whole-number",
            "Your count is right but not a whole number: where you divide, use //, so that it stays an int.",
            lambda d, h: float(4 * (d * d + d)),
            hint="one layer",
        ),
        Misconception(
            "count-three-layers-dense-fourth",
            "You count three layers; dense is the fourth.",
            lambda d, h: 3 * (d * d + d),
            hint="which layers",
        ),
        Misconception(
            "three-projections-full-size-every",
            "Your three projections are full-size for every head, as if heads were copies; each is d_model/h wide.",
            lambda d, h: 3 * h * (d * d + d) + d * d + d,
            hint="one layer",
        ),
        Misconception(
            "one-head-by-itself",
            "Your matrices are d_model/h times d_model/h. A head is that wide, but it takes in all d_model features.",
            lambda d, h: 4 * ((d // h) ** 2 + d // h),
            hint="one layer",
        ),
        Misconception(
            "one-head-and-dense",
            "You count the projections of one head only; there are h of them, side by side.",
            lambda d, h: 3 * (d * (d // h) + d // h) + d * d + d,
            hint="one layer",
        ),
        Misconception(
            "one-bias",
            "You count one bias; each of the four layers has one.",
            lambda d, h: 4 * d * d + d,
            hint="one layer",
        ),
        Misconception(
            "three-biases",
            "You count three biases; dense has one too.",
            lambda d, h: 4 * d * d + 3 * d,
            hint="which layers",
        ),
        Misconception(
            "biases-for-each-head",
            "You count biases of full size for each head; heads share out the d_model numbers of one.",
            lambda d, h: 4 * d * d + 4 * h * d,
            hint="one layer",
        ),
        Misconception(
            "added-not-multiplied",
            "Your weights are not d_model · d_model: an nn.Linear(a, b) has a · b of them.",
            lambda d, h: 4 * (2 * d + d),
            hint="one layer",
        ),
    ),
    accepted=(
        lambda d_model, num_heads: 4 * d_model * (d_model + 1),
        lambda d_model, num_heads: sum(p.numel() for _ in range(4) for p in nn.Linear(d_model, d_model).parameters()),
        lambda d_model, num_heads: sum(
            p.numel() for p in multihead.MultiHeadAttention(d_model, num_heads).parameters()
        ),
        lambda d, h: 3 * h * (d * (d // h) + d // h) + (h * (d // h) * d + d),
    ),
)
