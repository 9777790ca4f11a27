"""Cross-attention: the target asks, the source answers."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_01.attention import BUILT_IN_ATTENTION
from course_lib.nn import attention


def _cross_arguments(draw: Draw) -> list[Tensor]:
    n_tgt, n_src, d, d_q, d_v = draw.sizes(5)
    return [
        draw.normal(2, n_tgt, d),
        draw.normal(2, n_src, d),
        draw.normal(d, d_q) / 2,
        draw.normal(d, d_q) / 2,
        draw.normal(d, d_v),
    ]


def _flawed_cross(
    x_tgt, x_src, w_q, w_k, w_v, *, ask="target", answer="source", divide="root", axis=-1, keys="own", order=1
):
    asking, answering = (x_tgt if who == "target" else x_src for who in (ask, answer))
    divisor = {"root": w_q.shape[-1], "nothing": 1.0, "width of x": x_tgt.shape[-1]}[divide]
    scores = asking @ w_q @ (answering @ (w_k if keys == "own" else w_q)).transpose(-2, -1) / math.sqrt(divisor)
    weights = scores.softmax(axis)
    return (weights @ answering @ w_v, weights)[::order]


def _cross_by_einsum(x_tgt, x_src, w_q, w_k, w_v):
    bilinear = torch.einsum("bid,de,fe,bjf->bij", x_tgt, w_q, w_k, x_src)
    weights = (bilinear / w_q.shape[1] ** 0.5).softmax(-1)
    return weights @ (x_src @ w_v), weights


def _cross_values_last(x_tgt, x_src, w_q, w_k, w_v):
    weights = (x_tgt @ w_q @ (x_src @ w_k).mT * w_k.shape[1] ** -0.5).softmax(-1)
    return weights @ x_src @ w_v, weights


def _cross_by_batch(x_tgt, x_src, w_q, w_k, w_v):
    pairs = [
        attention.scaled_dot_product_attention(t @ w_q, s @ w_k, s @ w_v) for t, s in zip(x_tgt, x_src, strict=True)
    ]
    return torch.stack([output for output, _ in pairs]), torch.stack([weights for _, weights in pairs])


def _cross_by_linear(x_tgt, x_src, w_q, w_k, w_v):
    q, k, v = F.linear(x_tgt, w_q.T), F.linear(x_src, w_k.T), F.linear(x_src, w_v.T)
    return attention.scaled_dot_product_attention(q, k, v)


cross_attention = CodeExam(
    exercise="cross_attention",
    covers=("A2", "A5", "A7", "Bt4", "C6"),
    function=attention.cross_attention,
    outputs=("output", "weights"),
    properties={"weights": "rows sum to one"},
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("output and weights", 4, _cross_arguments, visible=True),
        CodeCriterion("gradients reach every input", 0.5, _cross_arguments, "gradients"),
        CodeCriterion("the arguments are left unchanged", 0.5, _cross_arguments, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "ask-source-answer-target",
            "Your roles are swapped: queries come from the target, keys and values from the source.",
            partial(_flawed_cross, ask="source", answer="target"),
            hint="who makes what",
        ),
        Misconception(
            "answer-target",
            "Your target attends to itself: keys and values must come from the source.",
            partial(_flawed_cross, answer="target"),
            hint="from the sheet",
        ),
        Misconception(
            "ask-source",
            "Your source attends to itself: queries must come from the target.",
            partial(_flawed_cross, ask="source"),
            hint="from the sheet",
        ),
        Misconception(
            "divide-nothing",
            "Your weights equal cross-attention without the 1/√d_q scale.",
            partial(_flawed_cross, divide="nothing"),
            hint="nearly there",
        ),
        Misconception(
            "axis-minus-2",
            "Your softmax runs over the target tokens; each row of weights, one target token, must sum to 1.",
            partial(_flawed_cross, axis=-2),
            hint="nearly there",
        ),
        Misconception(
            "divide-width-of-x",
            "Your scale is 1/√d, the width of x; it must be 1/√d_q, that of queries.",
            partial(_flawed_cross, divide="width of x"),
            hint="nearly there",
        ),
        Misconception(
            "keys-w-q",
            "You use w_q for the keys too: keys have a matrix of their own.",
            partial(_flawed_cross, keys="w_q"),
            hint="who makes what",
        ),
        Misconception(
            "order-minus-1",
            "You return (weights, output); the order asked for is (output, weights).",
            partial(_flawed_cross, order=-1),
            hint="nearly there",
        ),
    ),
    accepted=(_cross_by_einsum, _cross_values_last, _cross_by_batch, _cross_by_linear),
)
