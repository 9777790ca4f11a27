"""Cross-attention: the target asks, the source answers."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_01.attention import BUILT_IN_ATTENTION, no_squares
from course_lib.nn import attention


def _cross_arguments(draw: Draw, longer: str = "source") -> list[Tensor]:
    n_tgt, n_src, d, d_q, d_v = no_squares(draw, 5)
    if (n_src < n_tgt) == (longer == "source"):
        n_tgt, n_src = n_src, n_tgt
    return [
        draw.normal(2, n_tgt, d),
        draw.normal(2, n_src, d),
        draw.normal(d, d_q) / 2,
        draw.normal(d, d_q) / 2,
        draw.normal(d, d_v),
    ]


def _flawed_cross(
    x_tgt,
    x_src,
    w_q,
    w_k,
    w_v,
    *,
    ask="target",
    answer="source",
    divide="root",
    axis=-1,
    matrices="own",
    values="projected",
    softmax=True,
    order=1,
):
    asking, answering = (x_tgt if who == "target" else x_src for who in (ask, answer))
    divisor = {
        "root": w_q.shape[-1],
        "nothing": 1.0,
        "width of x": x_tgt.shape[-1],
        "width of values": w_v.shape[-1],
        "square": w_q.shape[-1] ** 2,
    }[divide]
    query, key = {"own": (w_q, w_k), "w_q": (w_q, w_q), "w_k": (w_k, w_k), "swapped": (w_k, w_q)}[matrices]
    scores = asking @ query @ (answering @ key).transpose(-2, -1) / math.sqrt(divisor)
    weights = scores.softmax(axis) if softmax else scores
    brought = answering @ {"projected": w_v, "as keys": w_k, "raw": torch.eye(w_v.shape[0], dtype=w_v.dtype)}[values]
    return (weights @ brought, weights)[::order]


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


def _cross_by_flat_batch(x_tgt, x_src, w_q, w_k, w_v):
    """Projections of all tokens at once, as one long list of rows."""
    q = (x_tgt.flatten(0, 1) @ w_q).unflatten(0, x_tgt.shape[:2])
    k = (x_src.flatten(0, 1) @ w_k).unflatten(0, x_src.shape[:2])
    v = (x_src.flatten(0, 1) @ w_v).unflatten(0, x_src.shape[:2])
    weights = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(k.size(2)), dim=2)
    return torch.bmm(weights, v), weights


def _cross_scaled_queries(x_tgt, x_src, w_q, w_k, w_v):
    q = torch.matmul(x_tgt, w_q / w_q.size(-1) ** 0.5)
    attn = F.softmax(q @ torch.matmul(x_src, w_k).permute(0, 2, 1), dim=-1)
    return [attn @ torch.matmul(x_src, w_v), attn]


cross_attention = CodeExam(
    exercise="cross_attention",
    covers=("A2", "A5", "A7", "Bt4", "C6"),
    function=attention.cross_attention,
    outputs=("output", "weights"),
    properties={"weights": "rows sum to one"},
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("output and weights", 3, _cross_arguments),
        CodeCriterion("a source that is shorter than the target", 1, lambda draw: _cross_arguments(draw, "target")),
        CodeCriterion("gradients reach every input", 0.5, _cross_arguments, "gradients", side=True),
        CodeCriterion("the arguments are left unchanged", 0.5, _cross_arguments, "arguments after", side=True),
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
            "Your target attends to itself; keys and values come from the source.",
            partial(_flawed_cross, answer="target"),
            hint="from the sheet",
        ),
        Misconception(
            "ask-source",
            "Your source attends to itself; queries come from the target.",
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
            "Your softmax runs over the target tokens. Each row of weights, one target token, must sum to 1.",
            partial(_flawed_cross, axis=-2),
            hint="nearly there",
        ),
        Misconception(
            "divide-width-of-x",
            "You scale by 1/√d, with the width of x; expected 1/√d_q, with the width of the queries.",
            partial(_flawed_cross, divide="width of x"),
            hint="nearly there",
        ),
        Misconception(
            "divide-width-of-values",
            "You scale by 1/√d_v, with the width of the values; expected 1/√d_q, with the width of the queries.",
            partial(_flawed_cross, divide="width of values"),
            hint="nearly there",
        ),
        Misconception(
            "divide-square",
            "Your scores are divided by d_q, all in all; expected √d_q, once: scaled_dot_product_attention scales too.",
            partial(_flawed_cross, divide="square"),
            hint="nearly there",
        ),
        Misconception(
            "no-softmax",
            "Your weights are the scaled scores: the softmax is missing.",
            partial(_flawed_cross, softmax=False),
            hint="nearly there",
        ),
        Misconception(
            "keys-w-q",
            "You use w_q for the keys too; keys have a matrix of their own, w_k.",
            partial(_flawed_cross, matrices="w_q"),
            hint="who makes what",
        ),
        Misconception(
            "queries-w-k",
            "You use w_k for the queries too; queries have a matrix of their own, w_q.",
            partial(_flawed_cross, matrices="w_k"),
            hint="who makes what",
        ),
        Misconception(
            "matrices-swapped",
            "You use w_k for the queries and w_q for the keys; swap them.",
            partial(_flawed_cross, matrices="swapped"),
            hint="who makes what",
        ),
        Misconception(
            "values-w-k",
            "You use w_k for the values too; values have a matrix of their own, w_v.",
            partial(_flawed_cross, values="as keys"),
            hint="who makes what",
        ),
        Misconception(
            "values-raw",
            "Your values are x_src itself; expected x_src @ w_v.",
            partial(_flawed_cross, values="raw"),
            hint="who makes what",
        ),
        Misconception(
            "order-minus-1",
            "You return (weights, output); expected (output, weights).",
            partial(_flawed_cross, order=-1),
            hint="nearly there",
        ),
    ),
    accepted=(
        _cross_by_einsum,
        _cross_values_last,
        _cross_by_batch,
        _cross_by_linear,
        _cross_by_flat_batch,
        _cross_scaled_queries,
    ),
)
