# Calls a forbidden function found by attrgetter, in __dict__, by exec, and as an operator.
# %% weak
# %% attack
import torch
import torch.nn.functional as F

from operator import attrgetter

names = {}
exec("from torch.nn.functional import scaled_dot_product_attention as hidden", names)
spellings = [
    attrgetter("nn.functional.scaled_dot_product" + "_attention")(torch),
    vars(F)["scaled_dot_product" + "_attention"],
    names["hidden"],
    torch.ops.aten.scaled_dot_product_attention,
]
calls = iter(range(10**9))


def by(function, q, k, v, mask=None):
    """Output and weights: the weights are the output for values of ones and zeros."""
    visible = None if mask is None else ~mask
    values = torch.eye(k.shape[-2], dtype=v.dtype)
    return function(q, k, v, visible), function(q, k, values.expand(*k.shape[:-2], -1, -1), visible)


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda *given: by(spellings[next(calls) % len(spellings)], *given)
