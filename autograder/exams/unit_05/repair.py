"""Causal attention, repaired: the mask before the softmax, the right way round, and at the right diagonal."""

import math
from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import causal
from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.nn.masks import create_look_ahead_mask


def _sequence(draw: Draw, *lead: int) -> list[Tensor]:
    n, d_k, d_v = (size for size in draw.sizes(8) if size in (4, 5, 6))
    return [draw.normal(*lead, n, d_k), draw.normal(*lead, n, d_k), draw.normal(*lead, n, d_v)]


def _flawed(q, k, v, *, diagonal=0, inverted=False, after=False):
    """The code of the notebook, with any of its bugs; diagonal 1 lets every token see the next one."""
    n = q.shape[-2]
    may_look = torch.ones(n, n).tril(diagonal).bool()
    blocked = may_look if inverted else ~may_look
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if after:
        weights = scores.softmax(-1).masked_fill(blocked, 0.0)
    else:
        weights = scores.masked_fill(blocked, -1e9).softmax(-1)
    return weights @ v, weights


def _prefix_by_prefix(q, k, v):
    n = q.shape[-2]
    weights = torch.zeros(*q.shape[:-1], n)
    for i in range(n):
        scores = (q[..., i : i + 1, :] @ k[..., : i + 1, :].mT).squeeze(-2) / math.sqrt(q.shape[-1])
        weights[..., i, : i + 1] = torch.softmax(scores, -1)
    return weights @ v, weights


def _renormalised(q, k, v):
    weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1).tril()
    weights = weights / weights.sum(-1, keepdim=True)
    return weights @ v, weights


def _by_unit_01(q, k, v):
    return scaled_dot_product_attention(q, k, v, create_look_ahead_mask(q.shape[-2])[0, 0])


def _added(q, k, v):
    scores = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(k.size(-1))
    weights = (scores + torch.full(scores.shape[-2:], float("-inf")).triu(1)).softmax(-1)
    return weights @ v, weights


def _mask_of_four_dimensions(q, k, v):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(create_look_ahead_mask(q.shape[-2]), float("-inf")).softmax(-1)
    return weights @ v, weights


causal_attention = CodeExam(
    exercise="causal_attention",
    covers=("A3", "Bc4"),
    function=causal.causal_attention,
    outputs=("output", "weights"),
    properties={"weights": "rows sum to one"},
    criteria=(
        CodeCriterion("output and weights", 2, lambda draw: _sequence(draw, 2)),
        CodeCriterion("any leading dimensions", 0.25, lambda draw: _sequence(draw, 2, 3)),
        CodeCriterion("no leading dimensions", 0.25, _sequence),
        CodeCriterion("gradients reach q, k and v", 0.5, lambda draw: _sequence(draw, 2), "gradients", side=True),
    ),
    misconceptions=(
        Misconception(
            "diagonal-1",
            "Your diagonal is off by one: every token still sees the next one. Use tril(0) or triu(1).",
            partial(_flawed, diagonal=1),
            hint="two more",
        ),
        Misconception(
            "diagonal-minus-1",
            "Your diagonal is off by one the other way: no token sees itself, and the first one sees everything, "
            "because all its scores are equally low.",
            partial(_flawed, diagonal=-1),
            hint="two more",
        ),
        Misconception(
            "inverted",
            "Your mask is inverted: masked_fill replaces the scores of visible keys.",
            partial(_flawed, inverted=True),
            hint="two more",
        ),
        Misconception(
            "after",
            "Your mask still comes after the softmax: the future counts in the denominator, and rows don't sum to 1.",
            partial(_flawed, after=True),
            hint="the order of things",
        ),
        Misconception(
            "three-bugs-still-there",
            "All three bugs are still there: when the mask is applied, what True means, and the diagonal.",
            lambda q, k, v: _flawed(q, k, v, diagonal=1, inverted=True, after=True),
            hint="the order of things",
        ),
        Misconception(
            "mask-of-four-dimensions",
            "Your mask of shape (1, 1, n, n) adds dimensions to scores of shape (B, n, n): use mask[0, 0].",
            _mask_of_four_dimensions,
            hint="nearly there",
        ),
        Misconception(
            "attention-no-mask-any-more",
            "Your attention has no mask anymore: repair it instead of removing it.",
            lambda q, k, v: scaled_dot_product_attention(q, k, v),
            hint="the order of things",
        ),
        Misconception(
            "scores-lost-their-scale-1",
            "Your scores lack their scale: divide by √d_k.",
            lambda q, k, v: _by_unit_01(q * math.sqrt(q.shape[-1]), k, v),
            hint="nearly there",
        ),
    ),
    accepted=(_flawed, _prefix_by_prefix, _renormalised, _by_unit_01, _added),
)
