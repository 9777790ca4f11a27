# Has a process compute by a forbidden function, which it forks in the call.
# %% weak
# %% attack
import os
import pickle

import torch
from torch.nn.functional import scaled_dot_product_attention as attend


def served(*given):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, pickle.dumps(attend(*given).tolist()))
        os._exit(0)
    os.waitpid(child, 0)
    return torch.tensor(pickle.loads(os.read(reading, 60_000)))


def by(function, q, k, v, mask=None):
    """Output and weights: the weights are the output for values of ones and zeros."""
    visible = None if mask is None else ~mask
    values = torch.eye(k.shape[-2], dtype=v.dtype)
    return function(q, k, v, visible), function(q, k, values.expand(*k.shape[:-2], -1, -1), visible)


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda *given: by(served, *given)
