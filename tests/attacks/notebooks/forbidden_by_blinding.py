# Switches off the profiler and the profile function that watch a call, and calls a forbidden function.
# %% weak
# %% attack
import torch

import sys
from torch.nn.functional import scaled_dot_product_attention as attend

from torch._C import _autograd


def helper(*given):
    previous = sys.getprofile()
    sys.setprofile(None)
    _autograd._enable_record_function(False)
    try:
        return attend(*given)
    finally:
        _autograd._enable_record_function(True)
        sys.setprofile(previous)


def by(function, q, k, v, mask=None):
    """Output and weights: the weights are the output for values of ones and zeros."""
    visible = None if mask is None else ~mask
    values = torch.eye(k.shape[-2], dtype=v.dtype)
    return function(q, k, v, visible), function(q, k, values.expand(*k.shape[:-2], -1, -1), visible)


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda *given: by(helper, *given)
