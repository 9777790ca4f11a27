"""Two claims about order: that self-attention is invariant, and that it tells sentences of the same words apart."""

import torch
from torch import Tensor

from course_lib.checks.claims.not_refuted import NotRefuted


def _self_attention(X: Tensor) -> Tensor:
    """softmax(X Xᵀ / √d) X, as the notebook defines it."""
    return (X @ X.T / X.shape[1] ** 0.5).softmax(-1) @ X


def refute_invariance(X: Tensor, first: int, second: int) -> None:
    swapped = X.clone()
    swapped[[first, second]] = X[[second, first]]
    before, after = _self_attention(X), _self_attention(swapped)
    largest = (before - after).abs().max().item()
    if largest <= 1e-6 * X.abs().max().item():
        raise NotRefuted(
            f"swapping tokens {first} and {second} changes the output by at most {largest:.2g}: row {first} is "
            f"{_show(before[first])} before and {_show(after[first])} after, so invariance is not refuted",
            known=_why_invariant(X, first, second),
        )


def _why_invariant(X: Tensor, first: int, second: int) -> str:
    if first == second:
        return "same-index"
    if torch.equal(X[first], X[second]):
        return "equal-tokens"
    weights = (X @ X.T / X.shape[1] ** 0.5).softmax(-1)[[first, second]]
    return "saturated" if weights.max() > 0.99 else "faint"


def refute_telling_apart(first: Tensor, second: Tensor) -> None:
    if torch.equal(first, second):
        raise NotRefuted(
            "the two tensors are equal in every entry, so there is nothing to tell apart", known="same-sentence"
        )
    one, two = _self_attention(first).mean(0), _self_attention(second).mean(0)
    largest = (one - two).abs().max().item()
    if largest > 1e-6 * max(first.abs().max().item(), second.abs().max().item()):
        raise NotRefuted(
            f"the model gives {_show(one)} for the first sentence and {_show(two)} for the second, so it tells them "
            f"apart (the largest difference is {largest:.2g})",
            known=_why_told_apart(first, second),
        )


def _why_told_apart(first: Tensor, second: Tensor) -> str:
    words, others = ({tuple(row) for row in X.tolist()} for X in (first, second))
    if words == others:
        return "other-counts"
    same_features = sorted(first.T.tolist()) == sorted(second.T.tolist())
    return "other-features" if same_features and not words & others else "other-words"


def _show(row: Tensor) -> str:
    shown = ", ".join(f"{number:.3g}" for number in row[:4].tolist())
    return f"[{shown}{', …' if len(row) > 4 else ''}]"
