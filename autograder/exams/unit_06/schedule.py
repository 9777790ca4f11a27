"""The learning rate of the paper: up in a line, then down with the root."""

import math

import torch

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.training import objectives


def _sizes(draw: Draw) -> tuple[int, int]:
    """Small, so that four digits tell rates apart, and no width whose root is a factor that a mistake may have."""
    return (5, 6, 7, 10)[draw.sizes(1)[0] % 4], 10 + draw.sizes(1)[0]


def _up_and_down(draw: Draw) -> Arguments:
    d_model, warmup = _sizes(draw)
    return [[1, warmup // 2, 3 * warmup], d_model, warmup]


def _at_the_top(draw: Draw) -> Arguments:
    d_model, warmup = _sizes(draw)
    return [[warmup - 1, warmup, warmup + 1], d_model, warmup]


def _by_branches(step, d_model, warmup):
    if step < warmup:
        return step / (math.sqrt(d_model) * warmup**1.5)
    return 1 / math.sqrt(d_model * step)


noam_lr = CodeExam(
    exercise="noam_lr",
    covers=("A9",),
    function=objectives.noam_lr,
    outputs=("rate",),
    criteria=(
        CodeCriterion("on the way up and down", 1.5, _up_and_down, "learning rates"),
        CodeCriterion("around the top", 0.5, _at_the_top, "learning rates", True),
    ),
    misconceptions=(
        Misconception(
            "take-larger-two",
            "You take the larger of the two terms: take the smaller, min.",
            lambda step, d, w: d**-0.5 * max(step**-0.5, step * w**-1.5),
            hint="two curves, the lower one",
        ),
        Misconception(
            "leave-out-d-model-0",
            "You leave out the factor d_model^(−0.5).",
            lambda step, d, w: min(step**-0.5, step * w**-1.5),
            hint="exponents",
        ),
        Misconception(
            "multiply-root-d-model",
            "You multiply by √d_model: the exponent is −0.5, so divide by it.",
            lambda step, d, w: d**0.5 * min(step**-0.5, step * w**-1.5),
            hint="exponents",
        ),
        Misconception(
            "rate-rises-step-warmup-0",
            "Your learning rate rises as step · warmup^(−0.5): the exponent is −1.5, so both terms meet at the peak.",
            lambda step, d, w: d**-0.5 * min(step**-0.5, step * w**-0.5),
            hint="exponents",
        ),
        Misconception(
            "rate-never-falls",
            "Your learning rate never falls: after the warm-up it is step^(−0.5).",
            lambda step, d, w: d**-0.5 * step * w**-1.5,
            hint="two curves, the lower one",
        ),
        Misconception(
            "rate-never-rises",
            "Your learning rate never rises: during the warm-up it is step · warmup^(−1.5).",
            lambda step, d, w: d**-0.5 * step**-0.5,
            hint="two curves, the lower one",
        ),
        Misconception(
            "rate-stays-top-after-warm",
            "Your learning rate stays at its peak after the warm-up: it falls as step^(−0.5).",
            lambda step, d, w: d**-0.5 * min(w**-0.5, step * w**-1.5),
            hint="two curves, the lower one",
        ),
        Misconception(
            "rises-by-step-over-warmup",
            "Your learning rate rises as step / warmup: the exponent of warmup is −1.5, so that both terms meet at "
            "the peak.",
            lambda step, d, w: d**-0.5 * min(step**-0.5, step / w),
            hint="exponents",
        ),
        Misconception(
            "exchanged",
            "You exchange d_model and warmup: the factor is d_model^(−0.5), and the warm-up has the exponent −1.5.",
            lambda step, d, w: w**-0.5 * min(step**-0.5, step * d**-1.5),
            hint="exponents",
        ),
        Misconception(
            "falls-as-one-over-step",
            "Your learning rate falls as 1/step after the warm-up: it falls as step^(−0.5).",
            lambda step, d, w: d**-0.5 * (step * w**-1.5 if step <= w else w**0.5 / step),
            hint="two curves, the lower one",
        ),
        Misconception(
            "falls-as-one-over-step",
            "Your learning rate falls as 1/step after the warm-up: it falls as step^(−0.5).",
            lambda step, d, w: d**-0.5 * min(step**-1, step * w**-1.5),
            hint="two curves, the lower one",
        ),
        Misconception(
            "falls-from-the-peak",
            "Your fall is counted from the peak, (step − warmup)^(−0.5): it goes by the step itself, step^(−0.5).",
            lambda step, d, w: d**-0.5 * (step * w**-1.5 if step <= w else (step - w) ** -0.5),
            hint="two curves, the lower one",
        ),
        Misconception(
            "warmup-4000",
            "Your warm-up is 4000 steps whatever warmup is: use warmup.",
            lambda step, d, w: d**-0.5 * min(step**-0.5, step * 4000**-1.5),
            hint="exponents",
        ),
        Misconception(
            "d-model-512",
            "Your width is 512 whatever d_model is: use d_model.",
            lambda step, d, w: 512**-0.5 * min(step**-0.5, step * w**-1.5),
            hint="exponents",
        ),
        Misconception(
            "count-steps-0-first-step",
            "You subtract 1 from step, so the first learning rate is 0: steps are counted from 1 already.",
            lambda step, d, w: d**-0.5 * min(max(step - 1, 1e-9) ** -0.5, (step - 1) * w**-1.5),
            hint="nearly there",
        ),
        Misconception(
            "adds-one",
            "You add 1 to step, as a LambdaLR needs, which counts from 0: here steps are counted from 1 already.",
            lambda step, d, w: d**-0.5 * min((step + 1) ** -0.5, (step + 1) * w**-1.5),
            hint="nearly there",
        ),
        Misconception(
            "factor-2",
            "Your learning rate is twice the expected one: some public code has a factor of 2, the formula has none.",
            lambda step, d, w: 2 * d**-0.5 * min(step**-0.5, step * w**-1.5),
            hint="exponents",
        ),
    ),
    accepted=(
        _by_branches,
        lambda step, d_model, warmup: torch.tensor(d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)),
        lambda step, d_model, warmup: (
            min(1 / math.sqrt(step), step / (warmup * math.sqrt(warmup))) / math.sqrt(d_model)
        ),
        lambda step, d_model, warmup: (d_model * warmup) ** -0.5 * min((warmup / step) ** 0.5, step / warmup),
    ),
)
