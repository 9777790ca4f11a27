# Calls a forbidden function by another name, from a helper in another cell.
# %% weak
# %% attack
import torch

from torch.nn.functional import scaled_dot_product_attention as attend


def helper(*given):
    return attend(*given)


def by(function, q, k, v, mask=None):
    """Output and weights: the weights are the output for values of ones and zeros."""
    visible = None if mask is None else ~mask
    values = torch.eye(k.shape[-2], dtype=v.dtype)
    return function(q, k, v, visible), function(q, k, values.expand(*k.shape[:-2], -1, -1), visible)


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda *given: by(helper, *given)
