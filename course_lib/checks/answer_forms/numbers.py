"""The form of an experiment's answer: one number, or several in a list or by name."""

import math
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Protocol, TypeGuard, runtime_checkable

from torch import Tensor

from course_lib.checks.finding import NotReadable, NotWritten


@runtime_checkable
class Array(Protocol):
    """What tensors and NumPy arrays have in common."""

    dtype: object

    @property
    def shape(self) -> tuple[int, ...]: ...

    def reshape(self, *shape: int) -> "Array": ...

    def tolist(self) -> list: ...

    def all(self) -> object: ...


def is_array(value: object) -> TypeGuard[Array]:
    return isinstance(value, Tensor) or type(value).__module__ == "numpy"


def read_numbers(name: str, answer: object, names: Sequence[str]) -> dict[str, object]:
    """The value handed in for each name, not yet read as a number."""
    wanted = "one number" if len(names) == 1 else f"{len(names)} numbers: {', '.join(names)}"
    if answer is ... or answer is None:
        raise NotWritten(f"{name} is not filled in yet: replace `...` with {wanted}")
    if isinstance(answer, str):
        raise NotReadable(f"is the text {answer!r:.40}", wanted, where=name)
    if isinstance(answer, Mapping):
        entries = {str(key): value for key, value in answer.items()}
        if missing := [wanted_name for wanted_name in names if wanted_name not in entries]:
            raise NotReadable(f"has no number for {', '.join(missing)}", wanted, where=name)
        entries = {wanted_name: entries[wanted_name] for wanted_name in names}
    else:
        entries = dict(zip(names, _in_order(name, answer, len(names), wanted), strict=True))
    if all(value is ... or value is None for value in entries.values()):
        raise NotWritten(f"{name} is not filled in yet: replace each `...` with a number")
    return entries


def _in_order(name: str, answer: object, count: int, wanted: str) -> list[object]:
    if is_array(answer):
        if math.prod(answer.shape) > 10 * count:
            raise NotReadable(f"has shape {tuple(answer.shape)}", wanted, where=name)
        answer = answer.reshape(-1).tolist()
    elif not isinstance(answer, list | tuple):
        if count > 1:
            raise NotReadable(f"is of type {type(answer).__name__}", wanted, where=name)
        return [answer]
    if len(answer) != count:
        raise NotReadable(f"has {len(answer)} entries", wanted, where=name)
    return list(answer)


def read_number(name: str, value: object) -> float:
    """A finite number; a tensor or an array of one entry will do."""
    if value is ... or value is None:
        raise NotWritten(f"{name} is not filled in yet: replace `...` with a number")
    if is_array(value):
        if math.prod(value.shape) != 1:
            raise NotReadable(f"has shape {tuple(value.shape)}", "one number", where=name)
        value = value.reshape(-1).tolist()[0]
    if isinstance(value, bool) or not isinstance(value, Real):
        shown = f"the text {value!r:.40}" if isinstance(value, str) else f"of type {type(value).__name__}"
        raise NotReadable(f"is {shown}", "a number", where=name)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise NotReadable(
            f"is {number}", "a finite number", "does the measurement divide by 0 or overflow?", where=name
        )
    return number
