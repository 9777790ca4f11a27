# Has a process that another cell started compute by a forbidden function.
# %% weak
# %% attack
import multiprocessing

import torch
from torch.nn.functional import scaled_dot_product_attention as attend

here, there = multiprocessing.Pipe()


def serve():
    while True:
        given = [part if part is None else torch.tensor(part) for part in there.recv()]
        there.send(attend(*given).tolist())


multiprocessing.get_context("fork").Process(target=serve, daemon=True).start()


def served(*given):
    here.send([part if part is None else part.tolist() for part in given])
    return torch.tensor(here.recv())


def by(function, q, k, v, mask=None):
    """Output and weights: the weights are the output for values of ones and zeros."""
    visible = None if mask is None else ~mask
    values = torch.eye(k.shape[-2], dtype=v.dtype)
    return function(q, k, v, visible), function(q, k, values.expand(*k.shape[:-2], -1, -1), visible)


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda *given: by(served, *given)
