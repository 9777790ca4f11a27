"""Causal self-attention: every token looks at itself and at what came before it."""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def causal_attention(
    q: Float[Tensor, "*batch n d_k"], k: Float[Tensor, "*batch n d_k"], v: Float[Tensor, "*batch n d_v"]
) -> tuple[Float[Tensor, "*batch n d_v"], Float[Tensor, "*batch n n"]]:
    """softmax(q kᵀ / √d_k, with keys j > i blocked) v, returned as (output, weights)."""
    future = torch.ones(q.shape[-2], q.shape[-2], dtype=torch.bool, device=q.device).triu(1)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(future, -torch.inf).softmax(-1)
    return torch.matmul(weights, v), weights
