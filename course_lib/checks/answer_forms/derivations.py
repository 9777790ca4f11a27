"""The form of a derivation ladder, one function for each line, and how two of its rungs are compared."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from course_lib.checks.finding import Finding, NotReadable, NotWritten
from course_lib.checks.student_call import call

TOLERANCE = 1e-4  # honest ways to write one line differ by rounding; a slip at a random point by far more


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


def rung_value(title: str, function: object, arguments: Mapping[str, object], forbidden: Sequence[str] = ()) -> Tensor:
    """The value of the rung at a point, in float64."""
    copies = [value.clone() if isinstance(value, Tensor) else value for value in arguments.values()]
    value = call(title, function, copies, forbidden)
    if value is None:
        raise NotReadable("returned nothing", "a number or a tensor", "does it end with `return`?", where=title)
    try:
        number = torch.as_tensor(value).detach()
    except (TypeError, ValueError, RuntimeError):
        raise NotReadable(f"gives a {type(value).__name__}", "a number or a tensor", where=title) from None
    if number.is_complex() or not number.isfinite().all():
        raise NotReadable(f"gives a number that is not finite or not real at {show_point(arguments)}", where=title)
    return number.to(torch.float64)


def check_rung(ladder: Sequence[object], rungs: Sequence[str], place: int, arguments: Mapping[str, object]) -> None:
    """Raise a Finding unless the rung equals the one before it at this point."""
    title = rung_title(place, rungs)
    value = rung_value(title, ladder[place], arguments)
    before = rung_value(rung_title(place - 1, rungs), ladder[place - 1], arguments)
    if not same(value, before):
        differing = difference(value, before, f"rung {place}")
        raise Finding(f"does not equal rung {place}", detail=f"at {show_point(arguments)} {differing}", where=title)


def require_value(
    ladder: Sequence[object], rungs: Sequence[str], place: int, arguments: Mapping[str, object], wanted: object
) -> None:
    """Raise a Finding, which does not say the value, unless the rung has this one."""
    title = rung_title(place, rungs)
    value = rung_value(title, ladder[place], arguments)
    if not same(value, torch.as_tensor(wanted).to(torch.float64)):
        found = f"{value.item():.4g}" if value.numel() == 1 else f"a tensor of shape {tuple(value.shape)}"
        raise Finding(f"it gives {found} at {show_point(arguments)}, which is not the quantity it names")


def same(left: Tensor, right: Tensor) -> bool:
    """Equal up to rounding; a tensor of one entry is a number."""
    if left.numel() == right.numel() == 1:
        left, right = left.reshape(()), right.reshape(())
    return left.shape == right.shape and torch.allclose(left, right, rtol=TOLERANCE, atol=TOLERANCE / 10)


def difference(left: Tensor, right: Tensor, other: str) -> str:
    """How the values of two rungs that are not the same differ: the first entry, or their shapes."""
    if left.numel() == right.numel() == 1:
        return f"it gives {left.item():.4g}, {other} gives {right.item():.4g}"
    if left.shape != right.shape:
        return f"it gives shape {tuple(left.shape)}, {other} gives {tuple(right.shape)}"
    wrong = ~torch.isclose(left, right, rtol=TOLERANCE, atol=TOLERANCE / 10)
    index = wrong.nonzero()[0].tolist()
    numbers = (side[tuple(index)].item() for side in (left, right))
    return f"entry {index} is {next(numbers):.4g}, {other} gives {next(numbers):.4g}"


def show_point(arguments: Mapping[str, object]) -> str:
    """x = [0.12, -1.5], i = 1."""
    return ", ".join(f"{name} = {_show(value)}" for name, value in arguments.items())


def _show(value: object) -> str:
    if isinstance(value, Tensor):
        if value.numel() > 6:
            return f"a tensor of shape {tuple(value.shape)}"
        return str(value.to(torch.float64).round(decimals=3).tolist())
    return f"{value:.4g}" if isinstance(value, float) else str(value)
