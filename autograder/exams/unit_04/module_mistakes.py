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
