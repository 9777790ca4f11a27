"""Permutation equivariance: permuting the tokens first or permuting the outputs after gives the same."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor


def is_permutation_equivariant(
    f: Callable[[Tensor], Tensor], x: Float[Tensor, "batch n d"], perm: Int[Tensor, "n"]
) -> bool:
    """Whether f(P x) = P f(x) for this x and this permutation of its tokens, up to rounding."""
    with torch.no_grad():
        permuted_first, permuted_after = f(x[:, perm]), f(x)[:, perm]
    if permuted_first.numel() == 0:
        return True
    # Relative to the largest output: a sum taken in another order differs in its last digits only.
    allowed = torch.finfo(permuted_after.dtype).eps ** 0.5 * permuted_after.abs().max()
    return bool((permuted_first - permuted_after).abs().max() <= allowed)
