"""Multi-head attention in four styles, all of them right."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.nn.attention import scaled_dot_product_attention


class LoopOverHeads(nn.Module):
    """One head after the other, as the formula is written; an assertion refuses what does not divide."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0, "num_heads must divide d_model"
        self.heads = num_heads
        self.dense, self.wv = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.wk, self.wq = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def forward(self, q, k, v, mask=None):
        found = []
        parts = (part.chunk(self.heads, dim=-1) for part in (self.wq(q), self.wk(k), self.wv(v)))
        for j, (q_j, k_j, v_j) in enumerate(zip(*parts, strict=True)):
            own = None if mask is None else mask.expand(len(q), self.heads, q.shape[1], k.shape[1])[:, j]
            found.append(scaled_dot_product_attention(q_j, k_j, v_j, own))
        return self.dense(torch.cat([out for out, _ in found], -1)), torch.stack([w for _, w in found], dim=1)


class EinsumHeads(nn.Module):
    """Heads as an index of einsum; minus infinity where blocked."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_head, rest = divmod(d_model, num_heads)
        if rest:
            raise ValueError(f"{num_heads} heads do not divide {d_model}")
        self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, q, k, v, mask=None):
        q, k, v = (x.unflatten(-1, (-1, self.d_head)) for x in (self.wq(q), self.wk(k), self.wv(v)))
        scores = torch.einsum("bihd,bjhd->bhij", q, k) * self.d_head**-0.5
        if mask is not None:
            scores = torch.where(mask, float("-inf"), scores)
        weights = F.softmax(scores, dim=-1)
        return self.dense(torch.einsum("bhij,bjhd->bihd", weights, v).flatten(2)), weights


class StackedWeights(nn.Module):
    """Heads as more rows of the batch; the four layers also in a list."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise RuntimeError("choose a number of heads that divides d_model")
        self.h = num_heads
        self.layers = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(4))
        self.wq, self.wk, self.wv, self.dense = self.layers

    def forward(self, query, key, value, blocked=None):
        q, k, v = (torch.cat(f(x).chunk(self.h, -1)) for f, x in zip(self.layers, (query, key, value), strict=False))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        scores = torch.stack(scores.chunk(self.h), 1)
        if blocked is not None:
            scores = scores - 1e9 * blocked.to(scores.dtype)
        weights = scores.softmax(-1)
        heads = weights.transpose(0, 1).flatten(0, 1) @ v
        return [self.dense(torch.cat(heads.chunk(self.h), -1)), weights]


class ViewAndPermute(nn.Module):
    """As most tutorials write it, with the queries scaled before the product."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("d_model % num_heads must be 0")
        self.num_heads, self.depth = num_heads, d_model // num_heads
        self.wq = nn.Linear(d_model, d_model)
        self.wk = nn.Linear(d_model, d_model)
        self.wv = nn.Linear(d_model, d_model)
        self.dense = nn.Linear(d_model, d_model)

    def split(self, x):
        return x.view(x.size(0), -1, self.num_heads, self.depth).permute(0, 2, 1, 3)

    def forward(self, q, k, v, mask=None):
        q, k, v = self.split(self.wq(q)) / math.sqrt(self.depth), self.split(self.wk(k)), self.split(self.wv(v))
        scores = torch.matmul(q, k.transpose(-2, -1))
        if mask is not None:
            scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=-1)
        output = torch.matmul(weights, v).permute(0, 2, 1, 3).contiguous()
        return self.dense(output.view(output.size(0), -1, self.num_heads * self.depth)), weights
