"""The learning rate of the paper: up in a line, then down with the root."""

import math

import torch

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.training import objectives


def _sizes(draw: Draw) -> tuple[int, int]:
    """Small, so that rates are large enough for four digits to tell them apart."""
    return draw.sizes(1)[0], 10 + draw.sizes(1)[0]


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
        CodeCriterion("on the way up and down", 1.5, _up_and_down, "learning rates", visible=True),
        CodeCriterion("around the top", 0.5, _at_the_top, "learning rates"),
    ),
    misconceptions=(
        Misconception(
            "take-larger-two",
            "You take the larger of the two: the rate is the smaller one.",
            lambda step, d, w: d**-0.5 * max(step**-0.5, step * w**-1.5),
            hint="two curves, the lower one",
        ),
        Misconception(
            "leave-out-d-model-0",
            "You leave out d_model^(−0.5).",
            lambda step, d, w: min(step**-0.5, step * w**-1.5),
            hint="exponents",
        ),
        Misconception(
            "multiply-root-d-model",
            "You multiply by √d_model: the exponent is −0.5, a wider model learns more slowly.",
            lambda step, d, w: d**0.5 * min(step**-0.5, step * w**-1.5),
            hint="exponents",
        ),
        Misconception(
            "rate-rises-step-warmup-0",
            "Your rate rises as step · warmup^(−0.5): the exponent is −1.5, so that both meet at step = warmup.",
            lambda step, d, w: d**-0.5 * min(step**-0.5, step * w**-0.5),
            hint="exponents",
        ),
        Misconception(
            "rate-never-falls",
            "Your rate never falls: step^(−0.5) takes over after the warm-up.",
            lambda step, d, w: d**-0.5 * step * w**-1.5,
            hint="two curves, the lower one",
        ),
        Misconception(
            "rate-never-rises",
            "Your rate never rises: step · warmup^(−1.5) comes first.",
            lambda step, d, w: d**-0.5 * step**-0.5,
            hint="two curves, the lower one",
        ),
        Misconception(
            "rate-stays-top-after-warm",
            "Your rate stays at its top after the warm-up: it falls with the root of the step.",
            lambda step, d, w: d**-0.5 * min(w**-0.5, step * w**-1.5),
            hint="two curves, the lower one",
        ),
        Misconception(
            "count-steps-0-first-step",
            "You count steps from 0, so the first step has no rate at all: they are counted from 1.",
            lambda step, d, w: d**-0.5 * min(max(step - 1, 1e-9) ** -0.5, (step - 1) * w**-1.5),
            hint="nearly there",
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
