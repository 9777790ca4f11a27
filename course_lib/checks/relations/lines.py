"""Relations of one line of a derivation to the right one, found by search over its symbols."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
from torch import Tensor

from course_lib.cards.observed import Mistake
from course_lib.checks.relations.pair import relation

NEAR = 5e-4  # relative; the numbers of a card have five decimals
FEWEST = 3  # points, each with symbols of its own: one number fits by chance
POWERS = {"{}": 1.0, "{}²": 2.0, "√{}": 0.5, "1/{}": -1.0, "1/{}²": -2.0, "1/√{}": -0.5}
CONSTANTS = {"2": 2.0, "½": 0.5}
FUNCTIONS: Mapping[str, Callable[[Tensor], Tensor]] = {
    "square": torch.square,
    "square root": torch.sqrt,
    "reciprocal": torch.reciprocal,
}


def line_relation(
    values: Sequence[Tensor], expected: Sequence[Tensor], points: Sequence[Mapping[str, object]]
) -> Mistake | None:
    """What holds at every point between the numbers of a line and the right ones; None where nothing does."""
    got, want = torch.stack([*values]).double(), torch.stack([*expected]).double()
    return next(_relations(got, want, _symbols(points), points), None) if len(points) >= FEWEST else None


def _relations(
    got: Tensor, want: Tensor, symbols: Mapping[str, Tensor], points: Sequence[Mapping[str, object]]
) -> Iterator[Mistake]:
    if _same(got, got[:1].expand_as(got)):
        yield relation("line, constant", f"This line gives {got[0].item():.4g} whatever the symbols are.")
        return
    if _same(got, -want):
        yield relation("line, sign", "This line is the expected one with the opposite sign.")
    yield from _one_case(got, want, points)
    for name, value in symbols.items():
        if _same(got, value):
            yield relation(f"line, only {name}", f"This line gives {name} alone.")
    for name, factor in _factors(symbols, len(got)):
        if _same(got, want * factor):
            yield relation(f"line, times {name}", f"This line is the expected one times {name}.")
    for name, value in symbols.items():
        for sign, term in {"plus": value, "minus": -value}.items():
            if _same(got, want + term):
                yield relation(f"line, {sign} {name}", f"This line is the expected one {sign} {name}.")
    for noun, function in FUNCTIONS.items():
        if _same(got, function(want)):
            yield relation(f"line, {noun}", f"This line is the {noun} of the expected one.")


def _one_case(got: Tensor, want: Tensor, points: Sequence[Mapping[str, object]]) -> Iterator[Mistake]:
    if all({"i", "j"} <= point.keys() for point in points):
        equal = torch.tensor([point["i"] == point["j"] for point in points])
        for case, other, where in (("i = j", "i ≠ j", equal), ("i ≠ j", "i = j", ~equal)):
            if where.any() and not where.all() and _same(got[where], want[where]):
                yield relation(f"line, right for {case}", f"This line is right for {case}, and not for {other}.")


def _symbols(points: Sequence[Mapping[str, object]]) -> dict[str, Tensor]:
    """Each symbol that is a number, and the entries i and j of each that is a vector, over all points."""
    symbols = {}
    for name, first in points[0].items():
        if isinstance(first, Tensor) and first.ndim == 1:
            for index in {"i", "j"} & points[0].keys():
                symbols[f"{name}_{index}"] = [point[name][point[index]] for point in points]  # type: ignore[index]
            symbols[f"the sum of all {name}"] = [point[name].sum() for point in points]  # type: ignore[attr-defined]
        elif name not in ("i", "j"):
            symbols[name] = [point[name] for point in points]
    return {name: torch.tensor([float(one) for one in column], dtype=torch.float64) for name, column in symbols.items()}


def _factors(symbols: Mapping[str, Tensor], count: int) -> Iterator[tuple[str, Tensor]]:
    """Constants, powers of a symbol, and quotients of two."""
    for name, number in CONSTANTS.items():
        yield name, torch.full((count,), number, dtype=torch.float64)
    for name, value in symbols.items():
        for form, power in POWERS.items():
            yield form.format(name), value**power
    for name, value in symbols.items():
        for other, divisor in symbols.items():
            if name != other:
                yield f"{name}/{other}", value / divisor


def _same(left: Tensor, right: Tensor) -> bool:
    return torch.allclose(left, right, rtol=NEAR, atol=1e-6)
