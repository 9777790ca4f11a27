# Calls a TorchScript graph that was recorded from a forbidden function.
# %% weak
# %% attack
import torch
import torch.nn.functional as F

graph = torch.jit.trace(
    lambda q, k, v: F.scaled_dot_product_attention(q, k, v), (torch.ones(2, 3),) * 3, check_trace=False
)


def traced(q, k, v, mask):
    return graph(q, k, v)


def by(function, q, k, v, mask=None):
    """Output and weights: the weights are the output for values of ones and zeros."""
    visible = None if mask is None else ~mask
    values = torch.eye(k.shape[-2], dtype=v.dtype)
    return function(q, k, v, visible), function(q, k, values.expand(*k.shape[:-2], -1, -1), visible)


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda *given: by(traced, *given)
