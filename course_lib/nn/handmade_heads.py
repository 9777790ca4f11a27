"""Heads set by hand: attention that looks at positions alone can copy, shift and convolve."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor

BETA = 1000.0  # so sharp that every weight is exactly 0 or 1

Head = tuple[Float[Tensor, "n d_k"], Float[Tensor, "m d_k"], Float[Tensor, "*batch m d_v"]]
AnyHead = tuple[Float[Tensor, "n _"], Float[Tensor, "_ _"], Float[Tensor, "... _ _"]]  # each of several has its own m


def identity_head(x: Float[Tensor, "*batch n d"]) -> Head:
    """Queries, keys and values with which each token attends to its own position: y[i] = x[i]."""
    return _head_at_offset(x, 0)


def shift_head(x: Float[Tensor, "*batch n d"]) -> Head:
    """Queries, keys and values with which each token attends to the position before its own: y[i] = x[i − 1]."""
    return _head_at_offset(x, -1)


def convolution_head(
    x: Float[Tensor, "*batch n d"], kernel: Float[Tensor, "d_out d 3"]
) -> tuple[AnyHead, AnyHead, AnyHead]:
    """Three heads, one for each of the offsets −1, 0 and 1, whose outputs add up to F.conv1d with padding = 1."""
    before, at, after = (_head_at_offset(x, offset) for offset in (-1, 0, 1))
    return _projected(before, kernel[:, :, 0]), _projected(at, kernel[:, :, 1]), _projected(after, kernel[:, :, 2])


def _projected(head: Head, matrix: Float[Tensor, "d_out d_v"]) -> AnyHead:
    q, k, v = head
    return q, k, v @ matrix.T


def _head_at_offset(x: Tensor, offset: int) -> Head:
    """The query at i is the position i + offset; a row of zeros is where there is no such token."""
    n, front, behind = x.shape[-2], max(0, -offset), max(0, offset)
    places = torch.eye(n + front + behind, device=x.device, dtype=x.dtype)
    queries = places[behind : behind + n] * BETA * math.sqrt(len(places))  # the root undoes 1/√d_k
    return queries, places, F.pad(x, (0, 0, front, behind))
