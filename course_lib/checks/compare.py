"""Compare a tensor with the one expected, and say how they differ."""

import math

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.student_call import require_tensor

TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 3e-2, torch.float32: 1e-4, torch.float64: 1e-7}
LARGEST_FINGERPRINTED = 1_000_000
HUGE = 1e6


def compare(name: str, got: object, want: object) -> None:
    """Raise a Finding unless `got` has the type, shape, dtype and values of `want`, up to rounding."""
    if not isinstance(want, Tensor):
        if type(got) is not type(want) or got != want:
            raise Finding(f"is {got}", str(want), where=name)
        return
    got = require_tensor(name, got)
    if got.device != want.device or got.layout != want.layout:
        raise Finding(f"is a {got.layout} tensor on {got.device}", f"an ordinary one on {want.device}", where=name)
    if got.shape != want.shape:
        raise Finding(f"has shape {tuple(got.shape)}", str(tuple(want.shape)), _transposed(got, want), where=name)
    if got.dtype != want.dtype:
        raise Finding(f"has dtype {_dtype(got)}", f"{_dtype(want)}, the dtype of the inputs", where=name)
    _compare_values(name, got.detach(), want.detach())


def _compare_values(name: str, got: Tensor, want: Tensor) -> None:
    if not want.is_floating_point():
        wrong = got != want
    else:
        bad = ~got.isfinite() & want.isfinite()
        if bad.any():
            index = _first(bad)
            raise Finding(f"is {got[tuple(index)].item()}", "a finite number", where=f"{name}{_at(index)}")
        wrong = ~torch.isclose(got, want, rtol=TOLERANCE[want.dtype], atol=TOLERANCE[want.dtype])
    if not wrong.any():
        return
    index = _first(wrong)
    if not want.is_floating_point():
        entry, expected = got[tuple(index)].item(), want[tuple(index)].item()
        raise Finding(f"is {entry}", str(expected), where=f"{name}{_at(index)}")
    if not index:
        raise Finding(f"is {got.item():.4g}, off by {(got - want).abs().item():.2g}", where=name)
    largest = (got - want).abs().max().item()
    raise Finding(
        f"is {got[tuple(index)].item():.4g}, off by {(got - want)[tuple(index)].abs().item():.2g} "
        f"({int(wrong.sum())} of {wrong.numel()} entries are wrong, the worst by {largest:.2g})",
        where=f"{name}{index}",
    )


def _first(where: Tensor) -> list[int]:
    return where.nonzero()[0].tolist()


def _at(index: list[int]) -> str:
    return str(index) if index else ""  # a single number has no index


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _transposed(got: Tensor, want: Tensor) -> str:
    if got.ndim >= 2 and got.transpose(-2, -1).shape == want.shape:
        return "are its last two dimensions the wrong way round?"
    return ""


def fingerprint(value: object) -> list:
    """A few numbers by which to tell one output from another, without holding it."""
    if type(value) is not Tensor:
        return [repr(value)] if isinstance(value, bool | int | float | str) else [type(value).__name__]
    sums = []
    ordinary = not value.is_complex() and value.layout == torch.strided and value.device.type != "meta"
    if ordinary and value.numel() <= LARGEST_FINGERPRINTED:
        # what is not finite counts too, and its place: a softmax that overflows in one row differs from one in all
        flat = value.detach().flatten().double().nan_to_num(nan=7.0, posinf=8.0, neginf=-8.0)
        places = torch.arange(flat.numel(), dtype=torch.float64, device=value.device)
        huge = flat.abs() > HUGE  # beside −1e9, which stands for −inf, the other entries would not count
        parts = (flat, flat.masked_fill(huge, 0.0)) if huge.any() else (flat,)
        sums = [(part * torch.cos(step * places + step)).sum().item() for part in parts for step in (0.3, 1.1, 2.7)]
    return [list(value.shape), _dtype(value), *sums]


def same_fingerprint(one: list, other: list) -> bool:
    """Equal, up to the rounding of the sums."""
    return len(one) == len(other) and all(
        math.isclose(a, b, rel_tol=1e-3, abs_tol=1e-3) if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in zip(one, other, strict=True)
    )
