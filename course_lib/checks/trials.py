"""Trials of an answer: other arguments, and what may become of an output."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import torch
from torch import Tensor

from course_lib.checks.compare import TOLERANCE
from course_lib.checks.relations.pair import LARGEST, dim_name, is_telling, largest

NEAR, FAR = 0.1, 100.0  # of the check's tolerance: what lies between is not called the same, and not different
LARGEST_ARGUMENT = 30.0  # where a softmax of larger numbers is one or zero, it hardly responds to anything
SAME, DOUBLED, FOURFOLD, NEGATED, PLUS_1 = "same", "doubled", "four times", "negated", "plus 1"
EXCHANGED = "exchanged along "
OTHER, UNKNOWN = "other", ""

Outcomes = Callable[[Tensor], dict[str, Tensor]]


@dataclass(frozen=True)
class Trial:
    """Other arguments, and what a `part` of the output may become; `doing` is the subject of the sentence.

    Of several `tries`, the later ones are made where the first changes nothing, which may be chance.
    """

    doing: str
    tries: Sequence[Mapping[str, object]]
    outcomes: Outcomes
    part: str = ""  # "first row" or "last row", else all of it

    def concerns(self, output: object) -> bool:
        """Whether the output is one of which this trial can say something."""
        return _is_measurable(output) and is_telling(output.detach().double()) and bool(self.outcomes(output))

    def outcome(self, before: object, after: object) -> str:
        if not (_is_measurable(before) and _is_measurable(after) and self.concerns(before)):
            return UNKNOWN
        if before.shape != after.shape or before.dtype != after.dtype:
            return UNKNOWN
        row = {"first row": 0, "last row": -1}.get(self.part)
        same = {name: _is_near(_row(after, row), _row(value, row)) for name, value in self.outcomes(before).items()}
        near = [name for name, is_near in same.items() if is_near]
        if None in same.values() or len(near) > 1:
            return UNKNOWN
        return near[0] if near else OTHER


AGAIN = Trial("calling it again", [{}], lambda before: {SAME: before})


def trials(arguments: Mapping[str, object]) -> Iterator[Trial]:
    """The most telling first."""
    finite = {name: value for name, value in arguments.items() if _is_measurable(value)}
    numbers = {name: a for name, a in finite.items() if largest(a) <= LARGEST_ARGUMENT}
    for name, a in numbers.items():
        yield Trial(
            f"replacing the numbers in {name} by others", [{name: _other(a)}, {name: -_other(a)}], lambda o: {SAME: o}
        )
    for name, a in numbers.items():
        if a.ndim >= 2 and a.shape[-2] > 1:
            yield _row_trial(name, a, "last row", "first row", -1)
            yield _row_trial(name, a, "first row", "last row", 0)
    for name, a in numbers.items():
        for axis in (axis for axis in range(max(1, a.ndim - 1)) if a.ndim and a.shape[axis] > 1):
            doing = f"exchanging the first two entries of {name} along {dim_name(axis, a.ndim)}"
            yield Trial(doing, [{name: _exchanged(a, axis)}], _exchanges(a.shape[axis]))
    for name, a in numbers.items():
        yield Trial(f"adding 1 to every entry of {name}", [{name: a + 1}], lambda o: {SAME: o, PLUS_1: o + 1})
    for name, a in numbers.items():
        yield Trial(f"doubling every entry of {name}", [{name: 2 * a}], _multiples)
        yield Trial(f"changing the sign of {name}", [{name: -a}], lambda o: {SAME: o, NEGATED: -o})


def _multiples(o: Tensor) -> dict[str, Tensor]:
    return {SAME: o, DOUBLED: 2 * o, FOURFOLD: 4 * o}


def _row_trial(name: str, a: Tensor, changed: str, seen: str, row: int) -> Trial:
    """A row that sees no other row, or none that comes later, stays as it is."""
    values = []
    for other in (_other(a), -_other(a)):
        values.append(a.clone())
        values[-1][..., row, :] = other[..., row, :]

    def by_rows(o: Tensor) -> dict[str, Tensor]:
        return {SAME: o} if o.ndim >= 2 and o.shape[-2] == a.shape[-2] else {}

    return Trial(f"changing the {changed} of {name}", [{name: each} for each in values], by_rows, seen)


def _exchanges(size: int) -> Outcomes:
    def exchanges(o: Tensor) -> dict[str, Tensor]:
        axes = (axis for axis in range(o.ndim) if o.shape[axis] == size)
        return {SAME: o} | {f"{EXCHANGED}{dim_name(axis, o.ndim)}": _exchanged(o, axis) for axis in axes}

    return exchanges


def _exchanged(values: Tensor, axis: int) -> Tensor:
    order = torch.arange(values.shape[axis])
    order[:2] = torch.tensor([1, 0])
    return values.index_select(axis, order)


def _other(values: Tensor) -> Tensor:
    """Numbers of about the same size."""
    drawn = torch.randn(values.shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    return (drawn * (1 + values.abs().double().mean())).to(values.dtype)


def _row(values: Tensor, row: int | None) -> Tensor:
    return values if row is None else values[..., row, :]


def _is_measurable(value: object) -> TypeGuard[Tensor]:
    if type(value) is not Tensor or value.dtype not in TOLERANCE or value.layout is not torch.strided:
        return False
    return value.device.type == "cpu" and 0 < value.numel() <= LARGEST and bool(value.isfinite().all())


def _is_near(one: Tensor, other: Tensor) -> bool | None:
    """Equal, or clearly not; None where rounding could decide."""
    tolerance = TOLERANCE[one.dtype]
    one, other = one.detach().double(), other.detach().double()
    near = NEAR * tolerance
    if torch.isclose(one, other, rtol=near, atol=near * other.abs().median().item()).all():
        return True
    return None if largest(one - other) <= FAR * tolerance * max(1.0, largest(one), largest(other)) else False
