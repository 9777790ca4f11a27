"""Compare a tensor with the one expected, and say how they differ."""

import torch
from torch import Tensor

from course_lib.checks.finding import Finding

TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 3e-2, torch.float32: 1e-4, torch.float64: 1e-7}


def agree(got: object, want: object) -> bool:
    """Whether `compare` would find nothing."""
    try:
        compare("value", got, want)
    except Finding:
        return False
    return True


def compare(name: str, got: object, want: object) -> None:
    """Raise a Finding unless `got` has the type, shape, dtype and values of `want`, up to rounding."""
    if not isinstance(want, Tensor):
        if got != want:
            raise Finding(f"{name} is {got}, expected {want}")
        return
    if not isinstance(got, Tensor):
        raise Finding(f"{name} should be a tensor, but it is of type {type(got).__name__}")
    if got.shape != want.shape:
        raise Finding(f"{name} has shape {tuple(got.shape)}, expected {tuple(want.shape)}{_transposed(got, want)}")
    if got.dtype != want.dtype:
        raise Finding(f"{name} has dtype {_dtype(got)}, expected {_dtype(want)}, the dtype of the inputs")
    _compare_values(name, got.detach(), want.detach())


def _compare_values(name: str, got: Tensor, want: Tensor) -> None:
    if not want.is_floating_point():
        wrong = got != want
    else:
        bad = ~got.isfinite() & want.isfinite()
        if bad.any():
            index = _first(bad)
            raise Finding(f"{name}{index} is {got[tuple(index)].item()}, expected a finite number")
        wrong = ~torch.isclose(got, want, rtol=TOLERANCE[want.dtype], atol=TOLERANCE[want.dtype])
    if not wrong.any():
        return
    index = _first(wrong)
    if not want.is_floating_point():
        raise Finding(f"{name}{index} is {got[tuple(index)].item()}, expected {want[tuple(index)].item()}")
    largest = (got - want).abs().max().item()
    raise Finding(
        f"{name}{index} is {got[tuple(index)].item():.4g}, off by {(got - want)[tuple(index)].abs().item():.2g} "
        f"({int(wrong.sum())} of {wrong.numel()} entries are wrong, the worst by {largest:.2g})"
    )


def _first(where: Tensor) -> list[int]:
    return where.nonzero()[0].tolist()


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _transposed(got: Tensor, want: Tensor) -> str:
    if got.ndim >= 2 and got.transpose(-2, -1).shape == want.shape:
        return ": are its last two dimensions the wrong way round?"
    return ""
