"""Scaled dot-product attention."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import attention

BUILT_IN_ATTENTION = ("torch.nn.functional.scaled_dot_product_attention", "torch.nn.MultiheadAttention")


def no_squares(draw: Draw, count: int) -> list[int]:
    """Distinct sizes, none the square of another: a score divided by 3 does not tell √9 from 3."""
    return [size for size in draw.sizes(8) if size != 9][:count]


def _attention_arguments(
    draw: Draw, *leading: int, more: str = "keys", dtype: torch.dtype = torch.float32
) -> list[Tensor]:
    """More keys than queries, or the other way round: neither may take the other's place."""
    n_q, n_k, d_k, d_v = no_squares(draw, 4)
    if (n_k < n_q) == (more == "keys"):
        n_q, n_k = n_k, n_q
    return [
        draw.normal(*leading, n_q, d_k, dtype=dtype),
        draw.normal(*leading, n_k, d_k, dtype=dtype),
        draw.normal(*leading, n_k, d_v, dtype=dtype),
    ]


def _masked_arguments(draw: Draw) -> list[Tensor]:
    """All scores of the first two queries are far below 0: there a number such as −10 hides no key."""
    q, k, v = _attention_arguments(draw, 2)
    d_k = q.shape[-1]
    k[0] += 6 / math.sqrt(d_k)
    q[0, :2] -= 6
    mask = draw.mask(len(q), q.shape[1], k.shape[1])
    return [q, k, v, mask]


def _shared_mask_arguments(draw: Draw) -> list[Tensor]:
    q, k, v = _attention_arguments(draw, 2, 3, more="queries")
    return [q, k, v, draw.mask(q.shape[-2], k.shape[-2])]


def _scores(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])


def _flawed_attention(q, k, v, mask=None, *, divide="root", axis=-1, softmax=True, masking="before", order=1, low=-1e9):
    divisor = {
        "root": math.sqrt(q.shape[-1]),
        "nothing": 1.0,
        "width": q.shape[-1],
        "values": math.sqrt(v.shape[-1]),
        "keys": math.sqrt(k.shape[-2]),
        "queries": math.sqrt(q.shape[-2]),
        "multiplied": 1 / math.sqrt(q.shape[-1]),
        "weights": 1.0,
    }[divide]
    scores = q @ k.transpose(-2, -1) / divisor
    if mask is not None and masking in ("before", "inverted"):
        scores = scores.masked_fill(mask if masking == "before" else ~mask, low)
    elif mask is not None and masking == "zero":
        scores = scores.masked_fill(mask, 0.0)
    elif mask is not None and masking == "added":
        scores = scores + mask.to(scores.dtype)
    weights = scores.softmax(axis) if softmax else scores
    if divide == "weights":
        weights = weights / math.sqrt(q.shape[-1])
    if mask is not None and masking in ("after", "large after", "inverted after"):
        weights = weights.masked_fill(~mask if "inverted" in masking else mask, -1e9 if "large" in masking else 0.0)
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


def _attention_of_lists(q, k, v, mask=None):
    """As a class of students writes it: swapaxes, a power, a sum of its own."""
    d_k = k.size(-1)
    scores = torch.matmul(q, torch.swapaxes(k, -1, -2)) / d_k**0.5
    if mask is not None:
        scores[mask.expand_as(scores)] = float("-inf")
    p_attn = nn.Softmax(dim=-1)(scores)
    return (torch.matmul(p_attn, v), p_attn)


def _attention_with_bias(q, k, v, mask=None):
    bias = torch.zeros(q.shape[-2], k.shape[-2], dtype=q.dtype)
    if mask is not None:
        bias = torch.zeros_like(mask, dtype=q.dtype).masked_fill_(mask, float("-inf"))
    weights = (q @ k.mT * (1 / math.sqrt(k.shape[-1])) + bias).softmax(dim=-1)
    return weights @ v, weights


def _attention_stable(q, k, v, mask=None):
    scores = q.matmul(k.movedim(-1, -2)).div(q.new_tensor(q.shape[-1]).sqrt())
    if mask is not None:
        scores = torch.where(mask, scores.new_tensor(-1e4), scores)
    scores = scores - scores.max(dim=-1, keepdim=True).values.detach()
    weights = scores.exp() / scores.exp().sum(-1, keepdim=True)
    return weights.matmul(v), weights


OVER_QUERIES = "Your softmax runs over the queries. Each query's weights over the keys must sum to 1 (dim=-1)."

scaled_dot_product_attention = CodeExam(
    exercise="scaled_dot_product_attention",
    covers=("Bc1", "D1.1a"),
    function=attention.scaled_dot_product_attention,
    outputs=("output", "weights"),
    properties={"weights": "rows sum to one"},
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("output and weights", 3, lambda draw: _attention_arguments(draw, 2)),
        CodeCriterion("masked keys get weight 0", 2, _masked_arguments, "effect of the mask"),
        CodeCriterion("any leading dimensions, with one mask for all", 1, _shared_mask_arguments),
        CodeCriterion(
            "gradients reach q, k and v", 1, lambda draw: _attention_arguments(draw, 2), "gradients", side=True
        ),
        CodeCriterion(
            "float64 in, float64 out",
            0.5,
            lambda d: _attention_arguments(d, 2, dtype=torch.float64),
            "dtypes",
            side=True,
        ),
        CodeCriterion("the arguments are left unchanged", 0.5, _masked_arguments, "arguments after", side=True),
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
            "Your scores are divided by d_k, all in all; expected √d_k, once.",
            partial(_flawed_attention, divide="width"),
            hint="nearly there",
        ),
        Misconception(
            "divide-values",
            "You divide the scores by √d_v, the root of the width of the values; expected √d_k, that of the keys.",
            partial(_flawed_attention, divide="values"),
            hint="nearly there",
        ),
        Misconception(
            "divide-keys",
            "You divide the scores by the root of the number of keys; expected √d_k, the root of their width.",
            partial(_flawed_attention, divide="keys"),
            hint="nearly there",
        ),
        Misconception(
            "divide-queries",
            "You divide the scores by the root of the number of queries; expected √d_k, the root of their width.",
            partial(_flawed_attention, divide="queries"),
            hint="nearly there",
        ),
        Misconception(
            "divide-multiplied",
            "You multiply the scores by √d_k; divide by it.",
            partial(_flawed_attention, divide="multiplied"),
            hint="nearly there",
        ),
        Misconception(
            "divide-weights",
            "You divide the weights by √d_k, after the softmax. Divide the scores, before it.",
            partial(_flawed_attention, divide="weights"),
            hint="four lines",
        ),
        *(
            Misconception("axis-minus-2", OVER_QUERIES, partial(_flawed_attention, **slip), hint="the tools")
            for slip in ({"axis": -2}, {"axis": 1}, {"axis": -2, "low": -torch.inf}, {"axis": 1, "low": -torch.inf})
        ),
        Misconception(
            "no-softmax",
            "Your weights are the scaled scores: the softmax is missing.",
            partial(_flawed_attention, softmax=False),
            hint="four lines",
        ),
        Misconception(
            "masking-inverted",
            "Your mask is inverted: here True means masked. (In F.scaled_dot_product_attention True means visible.)",
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
            "Your mask acts after the softmax, so rows no longer sum to 1. Mask the scores, before it.",
            partial(_flawed_attention, masking="after"),
            hint="four lines",
        ),
        Misconception(
            "masking-after",
            "Your mask acts after the softmax, so rows no longer sum to 1. Mask the scores, before it.",
            partial(_flawed_attention, masking="large after"),
            hint="four lines",
        ),
        Misconception(
            "masking-inverted-after",
            "Your mask acts after the softmax, and on the visible keys: here True means masked. Mask the scores.",
            partial(_flawed_attention, masking="inverted after"),
            hint="four lines",
        ),
        Misconception(
            "masking-zero",
            "Your masked scores are 0, or nearly so, and exp(0) is 1, not 0. Use −inf or a large negative number.",
            partial(_flawed_attention, masking="zero"),
            hint="the tools",
        ),
        *(
            Misconception(
                "masking-not-low",
                "The number in place of masked scores is not low enough: where the other scores are low too, masked "
                "keys get weight. Use −inf.",
                partial(_flawed_attention, low=low),
                hint="the tools",
            )
            for low in (-1.0, -5.0, -10.0, -20.0)
        ),
        Misconception(
            "masking-added",
            "You add the mask to the scores, where True counts as 1. Set masked scores to −inf instead.",
            partial(_flawed_attention, masking="added"),
            hint="the tools",
        ),
        Misconception(
            "order-minus-1",
            "You return (weights, output); expected (output, weights).",
            partial(_flawed_attention, order=-1),
            hint="nearly there",
        ),
    ),
    accepted=(
        _attention_by_einsum,
        _attention_by_exp,
        _attention_minus_infinity,
        _attention_by_loop,
        _attention_of_lists,
        _attention_with_bias,
        _attention_stable,
    ),
)
