"""Softmax: from scores to a distribution, how sharp it is, and how it passes gradients back."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

COPIED = 0.999  # the weight that preserve() gives to the value of the best key


def softmax(x: Float[Tensor, "*shape"], dim: int) -> Float[Tensor, "*shape"]:
    """exp(x_i) / Σ_j exp(x_j) along dim; the largest score is subtracted first, so exp never overflows."""
    exp = (x - x.amax(dim, keepdim=True)).exp()
    return exp / exp.sum(dim, keepdim=True)


def softmax_jacobian(x: Float[Tensor, "n"]) -> Float[Tensor, "n n"]:
    """J[i, j] = ∂y_i/∂x_j = y_i (δ_ij − y_j): y_i (1 − y_i) on the diagonal, −y_i y_j beside it."""
    y = softmax(x, -1)
    return y.diag() - torch.outer(y, y)


def scaled_weights(
    q: Float[Tensor, "heads n_q d_k"], k: Float[Tensor, "heads n_k d_k"]
) -> Float[Tensor, "heads n_q n_k"]:
    """softmax(q kᵀ / √d_k): scores keep the variance of one term, however many terms they sum."""
    return softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), -1)


def saturation(a: float) -> tuple[float, float]:
    """y and ∂y/∂x = y (1 − y) of the largest of softmax([a, a, 2a]): as y nears 1, the gradient vanishes."""
    first, second, largest = softmax(torch.tensor([a, a, 2 * a], dtype=torch.float64), -1).sort().values
    # The others' sum is 1 − y, without the rounding to 0 that the difference has near saturation.
    return largest.item(), (largest * (first + second)).item()


def softargmax(x: Float[Tensor, "*shape"], beta: float, dim: int = -1) -> Float[Tensor, "*shape"]:
    """softmax(beta x): one-hot at the largest score as beta → ∞, uniform at beta = 0."""
    return softmax(beta * x, dim)


def beta_for_sharpness(scores: Float[Tensor, "n"], p: float) -> float:
    """The beta ≥ 0 at which the largest score gets weight p, by bisection: the weight rises with beta."""
    n = scores.numel()
    ordered = scores.double().sort(descending=True).values
    if n < 2 or ordered[0] == ordered[1]:
        raise ValueError(f"no beta singles out one winner: the largest of the {n} scores must be unique")
    if not 1 / n <= p < 1:
        raise ValueError(f"the winner's weight lies between 1/n = {1 / n:.3g} and 1 (excluded), got p = {p}")
    # The rest weighs at most (n − 1) exp(−beta gap), so this beta is sharp enough.
    low, high = 0.0, math.log((n - 1) * p / (1 - p)) / float(ordered[0] - ordered[1]) + 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if softargmax(ordered, beta=middle)[0] < p:
            low = middle
        else:
            high = middle
    return high


def preserve(
    values: Float[Tensor, "n t"], keys: Float[Tensor, "n d"], query: Float[Tensor, "d"], beta: float
) -> tuple[Float[Tensor, "t"], Float[Tensor, "n"]]:
    """Attention with the query made so long that the value of its best key comes through nearly alone."""
    scores = beta * keys @ query
    weights = softargmax(scores, beta=max(1.0, beta_for_sharpness(scores, COPIED)))
    return weights @ values, weights


def dilute(
    values: Float[Tensor, "n t"], keys: Float[Tensor, "n d"], query: Float[Tensor, "d"], beta: float
) -> tuple[Float[Tensor, "t"], Float[Tensor, "n"]]:
    """Attention with the query made zero: every key scores the same, the output is the mean value."""
    weights = softargmax(keys @ (0 * query), beta)
    return weights @ values, weights
