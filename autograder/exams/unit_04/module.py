"""Multi-head attention as a module, and the ways to get a head wrong."""

import math

import torch
from torch import Tensor, nn

from autograder.draw import Draw
from autograder.exam import Misconception
from autograder.exams.unit_04.heads import small_sizes
from autograder.exams.unit_04.module_styles import EinsumHeads, LoopOverHeads, StackedWeights, ViewAndPermute
from autograder.kinds import ModuleCriterion, ModuleExam, RefusalCriterion
from course_lib import multihead


def _inputs(draw: Draw, dtype: torch.dtype = torch.float32) -> tuple[list[int], list[Tensor]]:
    n_q, n_k, heads, d_head = small_sizes(draw)
    d = heads * d_head
    return [d, heads], [draw.normal(2, n, d, dtype=dtype) for n in (n_q, n_k, n_k)]


def _masked(draw: Draw) -> tuple[list[int], list[Tensor]]:
    sizes, (q, k, v) = _inputs(draw)
    return sizes, [q, k, v, draw.mask(2, 1, q.shape[1], k.shape[1])]


def _other_masks(draw: Draw) -> tuple[list[int], list[Tensor]]:
    """A mask of its own for each head."""
    sizes, (q, k, v) = _inputs(draw)
    return sizes, [q, k, v, draw.mask(2, sizes[1], q.shape[1], k.shape[1])]


class Flawed(nn.Module):
    """Multi-head attention; each mistake overrides one step of it."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features cannot be shared out among {num_heads} heads")
        self.num_heads, self.d_head = num_heads, d_model // num_heads
        self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, q, k, v, mask=None):
        queries, keys, values = (self.split(x) for x in self.project(q, k, v))
        scores = queries @ keys.mT / math.sqrt(self.width())
        if mask is not None:
            scores = self.block(scores, mask)
        weights = scores.softmax(-1)
        return self.finish(self.merge(weights @ values), weights)

    def project(self, q, k, v):
        return self.wq(q), self.wk(k), self.wv(v)

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def width(self):
        return self.d_head

    def block(self, scores, mask):
        return scores.masked_fill(mask, -1e9)

    def merge(self, x):
        return x.transpose(1, 2).flatten(-2)

    def finish(self, merged, weights):
        return self.dense(merged), weights


class ReshapedHeads(Flawed):
    def split(self, x):
        return x.reshape(x.shape[0], self.num_heads, x.shape[1], -1)


class MergedAsItLies(Flawed):
    def merge(self, x):
        return x.reshape(x.shape[0], x.shape[2], -1)


class WidthOfModel(Flawed):
    def width(self):
        return self.d_head * self.num_heads


class NoScale(Flawed):
    def width(self):
        return 1


class NoOutputProjection(Flawed):
    def finish(self, merged, weights):
        return merged, weights


class KeysForValues(Flawed):
    def project(self, q, k, v):
        return self.wq(q), self.wk(k), self.wk(v)


class QueriesForKeys(Flawed):
    def project(self, q, k, v):
        return self.wq(q), self.wq(k), self.wv(v)


class ValuesAreKeys(Flawed):
    def project(self, q, k, v):
        return self.wq(q), self.wk(k), self.wv(k)


class FirstHeadBlocked(Flawed):
    def block(self, scores, mask):
        blocked = scores[:, :1].masked_fill(mask[:, :1], -1e9)
        return torch.cat([blocked, scores[:, 1:]], 1)


class MaskGetsADimension(Flawed):
    def block(self, scores, mask):
        return super().block(scores, mask.unsqueeze(1))


class IgnoresMask(Flawed):
    def block(self, scores, mask):
        return scores


class InvertedMask(Flawed):
    def block(self, scores, mask):
        return super().block(scores, ~mask)


class MeanWeights(Flawed):
    def finish(self, merged, weights):
        return self.dense(merged), weights.mean(1)


class WeightsFirst(Flawed):
    def finish(self, merged, weights):
        return weights, self.dense(merged)


class AnyNumberOfHeads(Flawed):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, 1)
        self.num_heads, self.d_head = num_heads, d_model // num_heads


multi_head_attention = ModuleExam(
    exercise="MultiHeadAttention",
    covers=("Bc2", "Bt7"),
    module=multihead.MultiHeadAttention,
    outputs=("output", "weights"),
    parts=("wq", "wk", "wv", "dense"),
    properties={"weights": "rows sum to one"},
    forbidden=("torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"),
    criteria=(
        ModuleCriterion("output and weights", 3, _inputs, visible=True),
        ModuleCriterion("a mask blocks keys in every head", 1.5, _masked, visible=True),
        ModuleCriterion("a mask of its own for each head", 0.5, _other_masks),
        ModuleCriterion("gradients reach q, k and v", 1, _inputs, "gradients"),
        RefusalCriterion(
            "an error when num_heads does not divide d_model",
            1,
            lambda draw: (_inputs(draw)[0], None),
            lambda draw: ([d_model := _inputs(draw)[0][0], d_model - 1], None),
        ),
        ModuleCriterion(
            "float64 in, float64 out", 0.5, lambda draw: _inputs(draw, torch.float64), "dtypes", visible=True
        ),
        ModuleCriterion("the arguments are left unchanged", 0.5, _masked, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "Your heads are cut by reshape alone, so they hold pieces of other tokens: use your split_heads.",
            ReshapedHeads,
            2,
        ),
        Misconception(
            "Your heads are merged without swapping tokens and heads back: use your merge_heads.", MergedAsItLies, 2
        ),
        Misconception("Your scale is 1/√d_model; a head compares d_model/h features: 1/√d_head.", WidthOfModel, 3),
        Misconception("Your scores are not divided by √d_head.", NoScale, 3),
        Misconception("Your output never goes through dense, the projection W_o.", NoOutputProjection, 1),
        Misconception("You project values with wk; each role has its own projection, values wv.", KeysForValues, 1),
        Misconception("You project keys with wq; each role has its own projection, keys wk.", QueriesForKeys, 1),
        Misconception("You make the values from k: they come from the argument v.", ValuesAreKeys, 1),
        Misconception("Your mask reaches the first head only: it must act on the scores of all.", FirstHeadBlocked, 3),
        Misconception(
            "You give the mask a dimension more; it already broadcasts to the scores (B, h, n_q, n_k) as it is.",
            MaskGetsADimension,
            3,
        ),
        Misconception("Your module ignores the mask.", IgnoresMask, 3),
        Misconception("Your mask is inverted: here True means blocked.", InvertedMask, 3),
        Misconception("You average the weights over the heads: return each head's own.", MeanWeights, 3),
        Misconception("You return (weights, output); the order asked for is (output, weights).", WeightsFirst, 3),
        Misconception(
            "Your constructor takes any number of heads: raise an error if d_model % num_heads is not 0.",
            AnyNumberOfHeads,
            1,
        ),
    ),
    accepted=(LoopOverHeads, EinsumHeads, StackedWeights, ViewAndPermute),
)
