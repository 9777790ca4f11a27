"""Relative positions: a number added to each score that depends only on how far the key is from the query.

Numbers added to scores: T5, Raffel et al., 2020, arXiv:1910.10683. One entry for all that is far away: Shaw et al.,
2018, arXiv:1803.02155.
"""

import torch
from jaxtyping import Float
from torch import Tensor


def relative_position_bias(n: int, table: Float[Tensor, "*heads offsets"]) -> Float[Tensor, "*heads {n} {n}"]:
    """bias[i, j] = table[j − i + m], where the table holds the offsets −m … m in this order.

    Keys farther away than m share the entry at the end of their side.
    """
    offsets = table.shape[-1]
    if offsets % 2 == 0:
        raise ValueError(f"the table needs an odd number of offsets, −m … m, got {offsets}")
    farthest = offsets // 2
    places = torch.arange(n, device=table.device)
    distance = (places[None, :] - places[:, None]).clamp(-farthest, farthest)  # (n, n)
    return table[..., distance + farthest]
