"""Masks: which keys a query may not look at. True means blocked, as in nn.MultiheadAttention.

F.scaled_dot_product_attention has the opposite convention: hand it `~mask`.
"""

from functools import reduce

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def create_look_ahead_mask(size: int, device: torch.device | str | None = None) -> Bool[Tensor, "1 1 {size} {size}"]:
    """blocked[i, j] = j > i: a token sees itself and what came before it."""
    return _offsets(size, device) > 0


def streaming_mask(n: int, lookback: int, device: torch.device | str | None = None) -> Bool[Tensor, "1 1 {n} {n}"]:
    """blocked[i, j] = j > i or j < i − lookback: a token sees itself and the `lookback` tokens before it."""
    offsets = _offsets(n, device)
    return (offsets > 0) | (offsets < -lookback)


def create_padding_mask(tokens: Int[Tensor, "batch n"], pad_id: int) -> Bool[Tensor, "batch 1 1 n"]:
    """blocked[b, j] = tokens[b, j] is padding, for every head and every query."""
    is_padding = tokens == pad_id
    return is_padding[:, None, None, :]


def combine_masks(*masks: Bool[Tensor, "..."] | None) -> Bool[Tensor, "..."] | None:
    """Blocked where any mask blocks; None blocks nothing."""
    given = [mask for mask in masks if mask is not None]
    return reduce(torch.logical_or, given) if given else None


def safe_masked_softmax(
    scores: Float[Tensor, "*shape"], mask: Bool[Tensor, "..."] | None = None
) -> Float[Tensor, "*shape"]:
    """softmax over the open keys of the last dimension; a row with no open key gives zeros, never NaN."""
    if mask is None:
        return scores.softmax(-1)
    # With −inf a blocked row is 0/0; with the smallest finite number it is uniform until the second fill.
    filled = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    return filled.softmax(-1).masked_fill(mask, 0.0)


def _offsets(n: int, device: torch.device | str | None) -> Int[Tensor, "1 1 {n} {n}"]:
    places = torch.arange(n, device=device)
    return (places[None, :] - places[:, None])[None, None]  # key − query
