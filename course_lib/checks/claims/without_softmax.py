"""Two claims about attention without softmax, scale or weights: that it is additive, and that tokens do not mix."""

import torch
from torch import Tensor

from course_lib.checks.claims.not_refuted import NotRefuted


def _gram_attention(x: Tensor) -> Tensor:
    """(X Xᵀ) X, as the notebook defines it."""
    return torch.einsum("id,jd,je->ie", x, x, x)


def _relative_gap(left: Tensor, right: Tensor) -> float:
    return ((left - right).abs().max() / (left.abs().max() + right.abs().max() + 1e-30)).item()


def refute_additivity(x1: Tensor, x2: Tensor) -> None:
    together = _gram_attention(x1 + x2)
    apart = _gram_attention(x1) + _gram_attention(x2)
    if _relative_gap(together, apart) < 1e-6:
        raise NotRefuted(
            "on your tensors f(X1 + X2) and f(X1) + f(X2) agree (the largest entries are "
            f"{together.abs().max().item():.3g} and {apart.abs().max().item():.3g}), so additivity is not refuted",
            known=_why_additive(x1, x2),
        )


def _why_additive(x1: Tensor, x2: Tensor) -> str | None:
    if not (x1.any() and x2.any()):
        return "zero-tensor"
    if not (x1 + x2).any():
        return "cancelling"
    if not ((x1 @ x2.T).any() or (x1.T @ x2).any()):
        return "apart"
    return "tiny" if max(x1.abs().max(), x2.abs().max()) > 1e3 * min(x1.abs().max(), x2.abs().max()) else None


def refute_separate_tokens(x: Tensor, changed: int, watched: int) -> None:
    if changed == watched:
        raise NotRefuted(f"you change token {changed} and watch token {watched}", known="same-token")
    doubled = x.clone()
    doubled[changed] *= 2
    before, after = _gram_attention(x)[watched], _gram_attention(doubled)[watched]
    if _relative_gap(before, after) < 1e-6:
        raise NotRefuted(
            f"doubling token {changed} leaves output {watched} as it is (the largest change is "
            f"{(after - before).abs().max().item():.2g}); the dot product of the two tokens is "
            f"{(x[changed] @ x[watched]).item():.2g}",
            known="orthogonal" if x[changed].any() and x[watched].any() else "zero-token",
        )
