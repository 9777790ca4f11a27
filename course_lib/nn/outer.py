"""A first function on tensors: outer products, one for each row of a batch."""

from jaxtyping import Float
from torch import Tensor


def batched_outer(a: Float[Tensor, "batch n"], b: Float[Tensor, "batch m"]) -> Float[Tensor, "batch n m"]:
    """c[k, i, j] = a[k, i] · b[k, j]."""
    return a.unsqueeze(-1) * b.unsqueeze(-2)
