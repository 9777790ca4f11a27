"""The form of a derivation ladder, one function for each line, and how a rung is examined."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from course_lib.checks.finding import Finding, Mistake, NotReadable, NotWritten
from course_lib.checks.relations.lines import line_relation
from course_lib.checks.student_call import call

TOLERANCE = 1e-4  # honest ways to write one line differ by rounding; a slip at a random point by far more


@dataclass(frozen=True)
class Point:
    """A value for each symbol of a rung, and what the rung must give there."""

    symbols: Mapping[str, object]
    expected: Tensor


def read_ladder(name: str, answer: object, rungs: Sequence[str]) -> list[object]:
    """The functions handed in, in the order of the rungs; a dict must have the rungs' names as keys."""
    wanted = f"{len(rungs)} functions, one for each of: {', '.join(rungs)}"
    if answer is ... or answer is None:
        raise NotWritten(f"{name} is not written yet: replace `...` with {wanted}")
    if isinstance(answer, Mapping):
        missing = [rung for rung in rungs if rung not in answer]
        if missing:
            raise NotReadable(f"has no rung called {', '.join(map(repr, missing))}", wanted, where=name)
        answer = [answer[rung] for rung in rungs]
    if not isinstance(answer, list | tuple):
        raise NotReadable(f"should be a list of {wanted}, but it is of type {type(answer).__name__}", where=name)
    if len(answer) != len(rungs):
        raise NotReadable(f"has {len(answer)} rungs", wanted, where=name)
    if all(rung is ... or rung is None for rung in answer):
        raise NotWritten(f"{name} is not written yet: replace each `...` with a function")
    return list(answer)


def rung_title(place: int, rungs: Sequence[str]) -> str:
    return f"rung {place + 1}, ‘{rungs[place]}’,"


def _called(title: str, function: object, symbols: Mapping[str, object]) -> object:
    """The rung's value for tensors, or else for lists of numbers: `(i == j) - y[j]` is right, but torch refuses it."""
    try:
        return call(title, function, [v.clone() if isinstance(v, Tensor) else v for v in symbols.values()])
    except NotWritten:
        raise
    except Finding as finding:
        try:
            return call(title, function, [v.tolist() if isinstance(v, Tensor) else v for v in symbols.values()])
        except Finding:
            raise finding from None


def rung_value(title: str, function: object, symbols: Mapping[str, object]) -> Tensor:
    """The value of the rung at a point, a number in float64."""
    value = _called(title, function, symbols)
    if value is None:
        raise NotReadable("returned nothing", "a number", "does it end with `return`?", where=title)
    try:
        number = torch.as_tensor(value).detach()
    except (TypeError, ValueError, RuntimeError):
        raise NotReadable(f"gives a {type(value).__name__}", "a number", where=title) from None
    if number.numel() != 1:
        raise NotReadable(f"gives a tensor of shape {tuple(number.shape)}", "one number", where=title)
    if number.is_complex() or not number.isfinite().all():
        raise NotReadable(f"gives a number that is not finite or not real at {_shown(symbols)}", where=title)
    return number.reshape(()).to(torch.float64)


def examine_rung(
    title: str,
    function: object,
    points: Sequence[Point],
    known: Callable[[], Iterable[tuple[Mistake, Sequence[Tensor]]]],
) -> None:
    """Raise a Finding unless the rung is right at every point, explained by the known slip that gives its values."""
    values = [rung_value(title, function, point.symbols) for point in points]
    expected = [point.expected for point in points]
    for value, point in zip(values, points, strict=True):
        if not _same(value, point.expected):
            slips = [mistake for mistake, theirs in known() if all(map(_same, values, theirs))]
            related = line_relation(values, expected, [point.symbols for point in points])
            raise Finding(
                f"gives {value.item():.4g} at {_shown(point.symbols)}",
                f"{point.expected.item():.4g}",
                where=title,
                mistakes=(slips or ([related] if related else []))[:1],
            )


def _same(left: Tensor, right: Tensor) -> bool:
    """Equal up to rounding."""
    return torch.allclose(left, right, rtol=TOLERANCE, atol=TOLERANCE / 10)


def _shown(symbols: Mapping[str, object]) -> str:
    """S = 3.1, y = [0.12, 0.88], i = 1."""
    return ", ".join(f"{name} = {_show(value)}" for name, value in symbols.items())


def _show(value: object) -> str:
    if isinstance(value, Tensor):
        return str(value.to(torch.float64).round(decimals=3).tolist())
    return f"{value:.4g}" if isinstance(value, float) else str(value)
