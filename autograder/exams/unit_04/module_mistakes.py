"""Multi-head attention with one mistake each, and a plain right one that they derive from."""

import math

import torch
from torch import nn


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
        weights = self.normalize(scores)
        return self.finish(self.merge(weights @ values), weights)

    def normalize(self, scores):
        return scores.softmax(-1)

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


class StraightViews(ReshapedHeads, MergedAsItLies):
    """Who writes one of the two writes the other as well."""


class HeadsFirst(Flawed):
    """Heads as a part of the batch, and the batch read as if it came first."""

    def merge(self, x):
        return x.transpose(0, 1).reshape(x.shape[0], x.shape[2], -1)


class StridedHeads(Flawed):
    """Head j takes every h-th feature, on the way in and on the way out."""

    def split(self, x):
        return x.unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)

    def merge(self, x):
        return x.permute(0, 2, 3, 1).flatten(-2)


class StridedHeadsMergedWell(StridedHeads):
    def merge(self, x):
        return x.transpose(1, 2).flatten(-2)


class WidthOfModel(Flawed):
    def width(self):
        return self.d_head * self.num_heads


class NoScale(Flawed):
    def width(self):
        return 1


class WidthNotRoot(Flawed):
    def width(self):
        return self.d_head**2


class ScaledWeights(Flawed):
    """The scale comes after the softmax."""

    def forward(self, q, k, v, mask=None):
        queries, keys, values = (self.split(x) for x in self.project(q, k, v))
        scores = queries @ keys.mT
        if mask is not None:
            scores = self.block(scores, mask)
        weights = scores.softmax(-1) / math.sqrt(self.d_head)
        return self.finish(self.merge(weights @ values), weights)


class WithoutSoftmax(Flawed):
    def normalize(self, scores):
        return scores


class OverQueries(Flawed):
    def normalize(self, scores):
        return scores.softmax(-2)


class OverQueriesToNaN(OverQueries):
    """A key that is masked for all queries has no weights."""

    def block(self, scores, mask):
        return scores.masked_fill(mask, -torch.inf)


class OverHeads(Flawed):
    def normalize(self, scores):
        return scores.softmax(1)


class MaskAfterSoftmax(Flawed):
    def forward(self, q, k, v, mask=None):
        queries, keys, values = (self.split(x) for x in self.project(q, k, v))
        weights = (queries @ keys.mT / math.sqrt(self.width())).softmax(-1)
        if mask is not None:
            weights = weights.masked_fill(mask, 0.0)
        return self.finish(self.merge(weights @ values), weights)


class AttentionDropout(Flawed):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.dropout = nn.Dropout(0.1)

    def normalize(self, scores):
        return self.dropout(scores.softmax(-1))


class OutputDropout(Flawed):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.dropout = nn.Dropout(0.1)

    def finish(self, merged, weights):
        return self.dropout(self.dense(merged)), weights


class ResidualInside(Flawed):
    def forward(self, q, k, v, mask=None):
        output, weights = super().forward(q, k, v, mask)
        return output + q, weights


class WithoutBias(Flawed):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))


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


class ValuesForKeys(Flawed):
    def project(self, q, k, v):
        return self.wq(q), self.wv(k), self.wv(v)


class LayersExchanged(Flawed):
    def project(self, q, k, v):
        return self.wq(q), self.wv(k), self.wk(v)


class KeysAndValuesExchanged(Flawed):
    def project(self, q, k, v):
        return self.wq(q), self.wk(v), self.wv(k)


class KeysAreValues(Flawed):
    def project(self, q, k, v):
        return self.wq(q), self.wk(v), self.wv(v)


class FirstHeadBlocked(Flawed):
    def block(self, scores, mask):
        blocked = scores[:, :1].masked_fill(mask[:, :1], -1e9)
        return torch.cat([blocked, scores[:, 1:]], 1)


class MaskGetsADimension(Flawed):
    def block(self, scores, mask):
        return super().block(scores, mask.unsqueeze(1))


class MaskGetsADimensionUnseen(MaskGetsADimension):
    """As the Annotated Transformer has it: the view folds the new dimension into the tokens."""

    def merge(self, x):
        return x.transpose(1, 2).contiguous().view(x.shape[0], -1, self.num_heads * self.d_head)


class MaskAdded(Flawed):
    def block(self, scores, mask):
        return scores + mask.to(scores.dtype)


class MaskedWithZero(Flawed):
    def block(self, scores, mask):
        return scores.masked_fill(mask, 0.0)


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
