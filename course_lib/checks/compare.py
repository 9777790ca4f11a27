"""Compare a tensor with the one expected, and say how they differ."""

import math

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.student_call import require_tensor

TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 3e-2, torch.float32: 1e-4, torch.float64: 1e-7}
LARGEST_FINGERPRINTED = 1_000_000
CONVERSIONS = {
    torch.bool: "compare (>, ==, …) or call .bool()",
    torch.int64: "call .long()",
    torch.float32: "call .float()",
    torch.float64: "is there a tensor of another dtype in your computation?",
}
HUGE = 1e6


def compare(name: str, got: object, want: object) -> None:
    """Raise a Finding unless `got` has the type, shape, dtype and values of `want`, up to rounding."""
    if not isinstance(want, Tensor):
        if type(got) is not type(want) or got != want:
            raise Finding(f"is {_described(got)}", str(want), where=name)
        return
    got = require_tensor(name, got)
    if got.device != want.device or got.layout != want.layout:
        raise Finding(f"is a {got.layout} tensor on {got.device}", f"an ordinary one on {want.device}", where=name)
    if got.shape != want.shape:
        raise Finding(f"has shape {tuple(got.shape)}", str(tuple(want.shape)), _transposed(got, want), where=name)
    if got.dtype != want.dtype:
        raise Finding(f"has dtype {_dtype(got)}", _dtype(want), CONVERSIONS.get(want.dtype, ""), where=name)
    if want.numel():
        _compare_values(name, got.detach(), want.detach())


def _compare_values(name: str, got: Tensor, want: Tensor) -> None:
    """What is not finite comes first; then ids and classes, which are right or not; then numbers, high or low."""
    wrong = got != want
    if want.is_floating_point():
        bad = ~got.isfinite() & want.isfinite()
        if bad.any():
            raise _finding(name, got, bad, "", "a finite number", f"{_count(bad, 'is', 'are')} nan or infinite")
        wrong = ~torch.isclose(got, want, rtol=TOLERANCE[want.dtype], atol=TOLERANCE[want.dtype])
    if not wrong.any():
        return
    expected, counted = want[_first(wrong)], _count(wrong, "differs", "differ")
    if _is_discrete(want) or not expected.isfinite():
        raise _finding(name, got, wrong, "", _number(expected), counted)
    gap = (got[_first(wrong)] - expected).item()
    largest = (got - want)[want.isfinite()].abs().max().item()
    up_to = f", by up to {largest:.2g}" if wrong.sum() > 1 else ""
    raise _finding(name, got, wrong, f", {abs(gap):.2g} too {'high' if gap > 0 else 'low'}", "", counted + up_to)


def _finding(name: str, got: Tensor, wrong: Tensor, gap: str, expected: str, counted: str) -> Finding:
    """About the first wrong entry; how many are, is said unless there is one entry only."""
    index = _first(wrong)
    where = f"{name}{list(index)}" if index else name  # a single number has no index
    return Finding(f"is {_number(got[index])}{gap}", expected, counted if got.numel() > 1 else "", where=where)


def _is_discrete(want: Tensor) -> bool:
    """Booleans, classes and ids, also where an observer has turned ids into floats."""
    return not want.is_floating_point() or bool((want == want.round()).all())


def _count(wrong: Tensor, singular: str, plural: str) -> str:
    count, total = int(wrong.sum()), wrong.numel()
    return f"{f'all {total}' if count == total else f'{count} of {total}'} entries {singular if count == 1 else plural}"


def _number(entry: Tensor) -> str:
    value = entry.item()
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _described(value: object) -> str:
    """A value as it is, unless it would fill the page."""
    if isinstance(value, Tensor) and value.numel() != 1:
        return f"a tensor of shape {tuple(value.shape)}"
    return str(value)


def _first(where: Tensor) -> tuple[int, ...]:
    return tuple(where.nonzero()[0].tolist())


def _dtype(tensor: Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _transposed(got: Tensor, want: Tensor) -> str:
    if got.ndim >= 2 and got.transpose(-2, -1).shape == want.shape:
        return "are its last two dimensions exchanged?"
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
        math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-4) if isinstance(a, float) and isinstance(b, float) else a == b
        for a, b in zip(one, other, strict=True)
    )
