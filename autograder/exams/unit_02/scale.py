"""Where the scale goes, and why it is a root."""

import math
from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import ChooseExam, CodeCriterion, CodeExam, Option
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Misconception
from course_lib.nn import softmax as reference


def _heads(draw: Draw) -> list[Tensor]:
    heads, n_q, n_k, d_k = draw.sizes(4)
    return [draw.normal(heads, n_q, d_k), draw.normal(heads, n_k, d_k)]


def _flawed_weights(q, k, *, divide="root", place="scores", axis=-1):
    divisor = {
        "root": math.sqrt(q.shape[-1]),
        "nothing": 1.0,
        "width": q.shape[-1],
        "model": math.sqrt(q.shape[0] * q.shape[-1]),
        "keys": math.sqrt(k.shape[-2]),
        "multiplied": 1 / math.sqrt(q.shape[-1]),
    }[divide]
    scores = q @ k.transpose(-2, -1)
    if place == "after":
        return scores.softmax(axis) / divisor
    return (scores / divisor).softmax(axis)


def _one_head_at_a_time(q, k):
    return torch.stack([reference.softmax(a @ b.T / a.shape[1] ** 0.5, 1) for a, b in zip(q, k, strict=True)])


scaled_weights = CodeExam(
    exercise="scaled_weights",
    covers=("Bt3",),
    function=reference.scaled_weights,
    outputs=("weights",),
    properties={"weights": "rows sum to one"},
    criteria=(
        CodeCriterion("the weights", 1.5, _heads),
        CodeCriterion("the arguments are left unchanged", 0.5, _heads, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "divide-width",
            "You divide the scores by d_k, so their variance is 1/d_k, and wide heads see no difference. "
            "Divide by √d_k.",
            partial(_flawed_weights, divide="width"),
            hint="which width",
        ),
        Misconception(
            "divide-model",
            "You divide the scores by √d_model, the width of all heads together. A score sums d_k terms. "
            "Divide by √d_k.",
            partial(_flawed_weights, divide="model"),
            hint="which width",
        ),
        Misconception(
            "place-after",
            "You divide after the softmax, when it has saturated already, and rows sum to 1/√d_k. Divide the scores.",
            partial(_flawed_weights, place="after"),
            hint="the order of things",
        ),
        Misconception(
            "divide-nothing",
            "Your scores are not scaled.",
            partial(_flawed_weights, divide="nothing"),
            hint="the order of things",
        ),
        Misconception(
            "divide-multiplied",
            "You multiply the scores by √d_k; divide by it.",
            partial(_flawed_weights, divide="multiplied"),
            hint="nearly there",
        ),
        Misconception(
            "divide-keys",
            "You divide by the root of the number of keys; expected that of the terms of a score, d_k.",
            partial(_flawed_weights, divide="keys"),
            hint="which width",
        ),
        Misconception(
            "axis-0",
            "Your softmax runs over the heads (dim=0). Each query's weights over the keys must sum to 1.",
            partial(_flawed_weights, axis=0),
            hint="nearly there",
        ),
        Misconception(
            "axis-minus-2",
            "Your softmax runs over the queries. Each query's weights over the keys must sum to 1.",
            partial(_flawed_weights, axis=-2),
            hint="nearly there",
        ),
    ),
    accepted=(
        _one_head_at_a_time,
        lambda q, k: torch.einsum("hid,hjd->hij", q, k).div(math.sqrt(q.size(2))).softmax(2),
        lambda q, k: reference.softmax((q / q.shape[-1] ** 0.25) @ (k / k.shape[-1] ** 0.25).mT, -1),
        lambda q, k: reference.softargmax(q @ k.mT, q.shape[-1] ** -0.5),
    ),
)

why_divide_by_root = ChooseExam(
    exercise="why_divide_by_root",
    covers=("Bt3", "D1.1b"),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(True, "variances of independent terms add up to d_k, and dividing by √d_k divides it by d_k."),
        "B": Option(False, "divided by d_k, scores have variance 1/d_k: the wider the head, the nearer to uniform."),
        "C": Option(True, "near saturation y (1 − y) and y_i y_j are all almost 0, so hardly anything is learned."),
        "D": Option(False, "after the softmax it is too late: it has saturated already, and rows sum to 1/√d_k."),
        "E": Option(False, "a score of one head sums d_k = 64 terms, so the divisor is √64 = 8, not √512."),
        "F": Option(True, "beta multiplies the scores, a temperature divides them: beta is 1/temperature."),
    },
    accepted=("acf", "F, C, A", ["A", "C", "F"], {"A", "C", "F"}),
    shortcuts=("ABCDEF",),
)
