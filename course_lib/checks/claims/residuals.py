"""The claim that a gradient never arrives shorter where a residual connection leads past a sublayer."""

import torch
from torch import Tensor

from course_lib.checks.claims.not_refuted import NotRefuted

ENOUGH = 0.999


def refute_at_least_one(w: Tensor) -> None:
    if w.shape[0] != w.shape[1]:
        raise NotRefuted(f"your tensor has shape {tuple(w.shape)}", "(d, d)", known="turned")
    factors = torch.linalg.svdvals(torch.eye(len(w), dtype=w.dtype) + w)
    if factors[0] > ENOUGH:
        raise NotRefuted(
            f"the gradient arrives with {factors[-1].item():.4g} to {factors[0].item():.4g} times its length, "
            "depending on its direction",
            "less than 1 in every direction",
            known=_why(w, factors),
        )


def _why(w: Tensor, factors: Tensor) -> str:
    if not w.any():
        return "nothing"
    if factors[-1] < ENOUGH:
        return "some"
    return "overshoots" if w.trace() < 0 else "adds"
