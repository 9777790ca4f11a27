"""Scaled dot-product attention."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import attention

BUILT_IN_ATTENTION = ("torch.nn.functional.scaled_dot_product_attention", "torch.nn.MultiheadAttention")


def _attention_arguments(draw: Draw, *leading: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    n_q, n_k, d_k, d_v = draw.sizes(4)
    return [
        draw.normal(*leading, n_q, d_k, dtype=dtype),
        draw.normal(*leading, n_k, d_k, dtype=dtype),
        draw.normal(*leading, n_k, d_v, dtype=dtype),
    ]


def _masked_arguments(draw: Draw) -> list[Tensor]:
    q, k, v = _attention_arguments(draw, 2)
    return [q, k, v, draw.mask(len(q), q.shape[1], k.shape[1])]


def _shared_mask_arguments(draw: Draw) -> list[Tensor]:
    q, k, v = _attention_arguments(draw, 2, 3)
    return [q, k, v, draw.mask(q.shape[-2], k.shape[-2])]


def _scores(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def _flawed_attention(q, k, v, mask=None, *, divide="root", axis=-1, softmax=True, masking="before", order=1):
    divisor = {"root": math.sqrt(q.shape[-1]), "nothing": 1.0, "width": q.shape[-1]}[divide]
    scores = q @ k.transpose(-2, -1) / divisor
    if mask is not None and masking in ("before", "inverted"):
        scores = scores.masked_fill(mask if masking == "before" else ~mask, -1e9)
    elif mask is not None and masking == "zero":
        scores = scores.masked_fill(mask, 0.0)
    weights = scores.softmax(axis) if softmax else scores
    if mask is not None and masking == "after":
        weights = weights.masked_fill(mask, 0.0)
    return (weights @ v, weights)[::order]


def _attention_by_einsum(q, k, v, mask=None):
    scores = torch.einsum("...id,...jd->...ij", q, k) * q.size(-1) ** -0.5
    if mask is not None:
        scores = torch.where(mask, torch.full_like(scores, -1e9), scores)
    weights = F.softmax(scores, dim=-1)
    return torch.einsum("...ij,...jd->...id", weights, v), weights


def _attention_by_exp(q, k, v, mask=None):
    exp = torch.exp(_scores(q, k))
    if mask is not None:
        exp = exp * ~mask
    weights = exp / exp.sum(dim=-1, keepdim=True)
    return [torch.matmul(weights, v), weights]


def _attention_minus_infinity(query, key, value, blocked=None):
    scores = torch.matmul(query / math.sqrt(query.shape[-1]), key.mT)
    if blocked is not None:
        scores = scores.masked_fill(blocked, float("-inf"))
    weights = torch.softmax(scores, -1)
    return weights.matmul(value), weights


def _attention_by_loop(q, k, v, mask=None):
    scores = _scores(q, k)
    if mask is not None:
        scores = scores - 1e9 * mask.to(scores.dtype)
    rows = [row.softmax(-1) for row in scores.reshape(-1, scores.shape[-1])]
    weights = torch.stack(rows).reshape(scores.shape)
    return weights @ v, weights


scaled_dot_product_attention = CodeExam(
    exercise="scaled_dot_product_attention",
    covers=("Bc1", "D1.1a"),
    function=attention.scaled_dot_product_attention,
    outputs=("output", "weights"),
    properties={"weights": "rows sum to one"},
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("output and weights", 3, lambda draw: _attention_arguments(draw, 2), visible=True),
        CodeCriterion("a mask blocks keys", 2, _masked_arguments, "effect of the mask", visible=True),
        CodeCriterion("any leading dimensions, with one mask for all", 1, _shared_mask_arguments),
        CodeCriterion("gradients reach q, k and v", 1, lambda draw: _attention_arguments(draw, 2), "gradients"),
        CodeCriterion(
            "float64 in, float64 out", 0.5, lambda d: _attention_arguments(d, 2, dtype=torch.float64), "dtypes"
        ),
        CodeCriterion("the arguments are left unchanged", 0.5, _masked_arguments, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "divide-nothing",
            "Your weights equal attention without the 1/√d_k scale.",
            partial(_flawed_attention, divide="nothing"),
            hint="nearly there",
        ),
        Misconception(
            "divide-width",
            "Your scores are divided by d_k instead of √d_k.",
            partial(_flawed_attention, divide="width"),
            hint="nearly there",
        ),
        Misconception(
            "axis-minus-2",
            "Your softmax runs over the queries; each query's weights over the keys must sum to 1 (dim=-1).",
            partial(_flawed_attention, axis=-2),
            hint="the tools",
        ),
        Misconception(
            "no-softmax",
            "Your weights are the raw scores: the softmax is missing.",
            partial(_flawed_attention, softmax=False),
            hint="four lines",
        ),
        Misconception(
            "masking-inverted",
            "Your mask is inverted: here True means blocked.",
            partial(_flawed_attention, masking="inverted"),
            hint="the tools",
        ),
        Misconception(
            "masking-ignored",
            "Your function ignores the mask.",
            partial(_flawed_attention, masking="ignored"),
            hint="four lines",
        ),
        Misconception(
            "masking-after",
            "Your mask acts after the softmax, so rows no longer sum to 1: block the scores before it.",
            partial(_flawed_attention, masking="after"),
            hint="four lines",
        ),
        Misconception(
            "masking-zero",
            "Your blocked scores are 0, and exp(0) is 1: give them −inf or a large negative number.",
            partial(_flawed_attention, masking="zero"),
            hint="the tools",
        ),
        Misconception(
            "order-minus-1",
            "You return (weights, output); the order asked for is (output, weights).",
            partial(_flawed_attention, order=-1),
            hint="nearly there",
        ),
    ),
    accepted=(_attention_by_einsum, _attention_by_exp, _attention_minus_infinity, _attention_by_loop),
)
