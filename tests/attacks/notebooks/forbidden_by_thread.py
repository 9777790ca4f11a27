# Has a thread compute by a forbidden function: one that another cell started.
# %% weak
# %% attack
import torch

import queue
from torch.nn.functional import scaled_dot_product_attention as attend
import threading

orders, results = queue.Queue(), queue.Queue()


def serve():
    while True:
        results.put(attend(*orders.get()))


def served(*given):
    orders.put(given)
    return results.get()


threading.Thread(target=serve, daemon=True).start()


def by(function, q, k, v, mask=None):
    """Output and weights: the weights are the output for values of ones and zeros."""
    visible = None if mask is None else ~mask
    values = torch.eye(k.shape[-2], dtype=v.dtype)
    return function(q, k, v, visible), function(q, k, values.expand(*k.shape[:-2], -1, -1), visible)


# %% attack answer scaled_dot_product_attention
scaled_dot_product_attention = lambda *given: by(served, *given)
