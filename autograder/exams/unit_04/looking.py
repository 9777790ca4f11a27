"""Ways to look at one position: right ones, and ones that miss it."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from course_lib.nn.attention import scaled_dot_product_attention

SOFT = "Your beta is too small, so other tokens leak in: make the scores so far apart that the softmax is 0 or 1."


def at(x: Tensor, offset: int, border: str = "zeros") -> Tensor:
    """Token i + offset for each i; the border says what stands where there is no such token."""
    n = x.shape[-2]
    places = torch.arange(n) + offset
    if border == "wrap":
        return x[..., places % n, :]
    there = ((places >= 0) & (places < n)).to(x.dtype)[:, None]
    taken = x[..., places.clamp(0, n - 1), :]
    if border == "repeat":
        return taken
    absent = x.mean(-2, keepdim=True) if border == "mean" else 0.0
    return taken * there + absent * (1 - there)


def soft(x: Tensor, offset: int, beta: float = 1.0) -> Tensor:
    """Positions compared without a sharp beta, the border as zeros."""
    n = x.shape[-2]
    places = torch.eye(n + 2)
    weights = (beta * places[1 + offset : 1 + offset + n] @ places.T / math.sqrt(n + 2)).softmax(-1)
    return weights @ F.pad(x, (0, 0, 1, 1))


def by_mask(x: Tensor, offset: int) -> Tensor:
    """A mask that leaves one position open, and an empty token for those that have none."""
    n = x.shape[-2]
    blocked = torch.ones(n, n + 1, dtype=torch.bool)
    for i in range(n):
        blocked[i, i + offset if 0 <= i + offset < n else n] = False
    scores = torch.zeros(n, n + 1).masked_fill(blocked, float("-inf"))
    return scores.softmax(-1) @ F.pad(x, (0, 0, 0, 1))


def by_column_attention(x: Tensor, offset: int) -> Tensor:
    n = x.shape[-2]
    scores = torch.zeros(n + 2, n)
    scores[torch.arange(n) + 1 + offset, torch.arange(n)] = 1e4
    return (F.pad(x, (0, 0, 1, 1)).mT @ scores.softmax(0)).mT


def by_distance(x: Tensor, offset: int) -> Tensor:
    """Scores that fall with the squared distance from the wanted position."""
    wanted = torch.arange(x.shape[-2])[:, None] + offset
    keys = torch.arange(-1, x.shape[-2] + 1)[None]
    return (-100.0 * (wanted - keys) ** 2).softmax(-1) @ F.pad(x, (0, 0, 1, 1))


def by_content(x: Tensor, beta: float = 1.0) -> Tensor:
    return scaled_dot_product_attention(beta * x, x, x)[0]


STYLES = (by_mask, by_column_attention, by_distance, lambda x, offset: at(x, offset))
