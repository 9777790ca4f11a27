"""Multi-head attention in several styles, all of them right."""

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


class LikeAnnotated(nn.Module):
    """Projections by zip, a view, and the scores scaled after the product."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0, f"{d_model} is not a multiple of {num_heads}"
        self.d_k, self.h, self.attn = d_model // num_heads, num_heads, None
        self.wq, self.wk, self.wv, self.dense = [nn.Linear(d_model, d_model) for _ in range(4)]

    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip((self.wq, self.wk, self.wv), (query, key, value), strict=True)
        ]
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(self.d_k)
        if mask is not None:
            scores = scores.masked_fill(mask.bool(), -1e9)
        self.attn = scores.softmax(dim=-1)
        x = torch.matmul(self.attn, value).transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.dense(x), self.attn


class HeadsInTheBatch(nn.Module):
    """Heads and sequences as one long batch, with bmm and a mask that is repeated."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model // num_heads * num_heads != d_model:
            raise ValueError(f"d_model {d_model} must be divisible by num_heads {num_heads}")
        self.num_heads = num_heads
        for name in ("wq", "wk", "wv", "dense"):
            setattr(self, name, nn.Linear(d_model, d_model))

    def transpose_qkv(self, x):
        x = x.reshape(x.shape[0], x.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)
        return x.reshape(-1, x.shape[2], x.shape[3])

    def forward(self, queries, keys, values, mask=None):
        batch, n_q, n_k = len(queries), queries.shape[1], keys.shape[1]
        q, k, v = (self.transpose_qkv(x) for x in (self.wq(queries), self.wk(keys), self.wv(values)))
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask.expand(batch, self.num_heads, n_q, n_k).flatten(0, 1), -1e6)
        weights = F.softmax(scores, dim=-1)
        output = torch.bmm(weights, v).reshape(batch, self.num_heads, n_q, -1).permute(0, 2, 1, 3)
        return self.dense(output.reshape(batch, n_q, -1)), weights.reshape(batch, self.num_heads, n_q, n_k)
