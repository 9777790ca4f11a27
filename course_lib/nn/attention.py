"""Attention: each query takes an average of the values, weighted by how well it matches each key.

Scaled dot-product attention: Vaswani et al., 2017, arXiv:1706.03762. Earlier, with a small network for the scores:
Bahdanau et al., 2015, arXiv:1409.0473.

Masks are boolean and True means blocked, as in nn.MultiheadAttention; F.scaled_dot_product_attention has the
opposite convention, in which True means that a query may look.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def scaled_dot_product_attention(
    q: Float[Tensor, "*batch n_q d_k"],
    k: Float[Tensor, "*batch n_k d_k"],
    v: Float[Tensor, "*batch n_k d_v"],
    mask: Bool[Tensor, "..."] | None = None,
) -> tuple[Float[Tensor, "*batch n_q d_v"], Float[Tensor, "*batch n_q n_k"]]:
    """softmax(q kᵀ / √d_k) v, returned as (output, weights).

    The mask broadcasts to the weights and is True where a query may not look. A query that may look
    nowhere gets zeros, and finite gradients.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = scores.softmax(-1)
    else:
        _require_broadcast(mask, scores)
        blocked = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
        weights = blocked.softmax(-1).masked_fill(mask, 0.0)
    return weights @ v, weights


def cross_attention(
    x_tgt: Float[Tensor, "*batch n_tgt d"],
    x_src: Float[Tensor, "*batch n_src d"],
    w_q: Float[Tensor, "d d_q"],
    w_k: Float[Tensor, "d d_q"],
    w_v: Float[Tensor, "d d_v"],
) -> tuple[Float[Tensor, "*batch n_tgt d_v"], Float[Tensor, "*batch n_tgt n_src"]]:
    """softmax(x_tgt w_q (x_src w_k)ᵀ / √d_q) x_src w_v: the target asks, the source answers."""
    return scaled_dot_product_attention(x_tgt @ w_q, x_src @ w_k, x_src @ w_v)


def column_attention(
    Q: Float[Tensor, "d n"],
    K: Float[Tensor, "d m"],
    V: Float[Tensor, "t m"],
    beta: float,
) -> Float[Tensor, "t n"]:
    """V softmax(beta Kᵀ Q), the softmax down each column: attention with tokens as columns."""
    return V @ (beta * K.T @ Q).softmax(0)


def gram_attention(X: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    """(X Xᵀ) X: attention without softmax, scale or weights."""
    return X @ X.T @ X


def attention_matrix(
    X: Float[Tensor, "n d"],
    w_q: Float[Tensor, "d d_q"],
    w_k: Float[Tensor, "d d_q"],
) -> Float[Tensor, "n n"]:
    """A(X) = softmax(X w_q (X w_k)ᵀ / √d_q), the matrix in H = A(X) X w_v."""
    return (X @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[-1])).softmax(-1)


def _require_broadcast(mask: Tensor, scores: Tensor) -> None:
    try:
        mask.expand_as(scores)
    except RuntimeError:
        raise ValueError(
            f"a mask of shape {tuple(mask.shape)} does not broadcast to the scores, "
            f"whose shape (..., n_q, n_k) is {tuple(scores.shape)}"
        ) from None
