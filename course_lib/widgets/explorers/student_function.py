"""Call a student's function, or a stand-in as long as the student's does not work, and say which."""

import contextlib
import io
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar, cast

import torch
from torch import Tensor

Result = TypeVar("Result")


class OwnFunction(Generic[Result]):
    """Calls a student's function, and the stand-in if it raises or returns something that does not fit."""

    def __init__(self, name: str, own: Callable[..., object], stand_in: Callable[..., Result]):
        self.name, self.own, self.stand_in = name, own, stand_in
        self.problem: str | None = None

    def __call__(self, *arguments: object, fits: Callable[[Result], str | None]) -> Result:
        """The function's result; `fits` returns what is wrong with it, or None."""
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                result = cast(Result, self.own(*arguments))  # as long as `fits` finds nothing wrong with it
            self.problem = fits(result)
        except NotImplementedError:
            self.problem = "it is not written yet"
        except Exception as error:  # whatever a student's code may raise
            self.problem = f"it stops with {type(error).__name__}"
        return result if self.problem is None else self.stand_in(*arguments)

    @property
    def line(self) -> str:
        return whose(self)


def whose(*functions: OwnFunction[Any]) -> str:
    """One line that says which functions are the student's own, and why the others are not."""
    own = ", ".join(f.name for f in functions if f.problem is None)
    others = "; ".join(f"{f.name}: {f.problem}" for f in functions if f.problem is not None)
    if not others:
        return f"shown: your {own}"
    if not own:
        return f"shown: a stand-in until yours works ({others})"
    return f"shown: your {own}, and a stand-in until the rest works ({others})"


def tensor_of(*shape: int) -> Callable[[object], str | None]:
    """Accepts a tensor of this shape with finite numbers."""

    def fits(result: object) -> str | None:
        if not isinstance(result, Tensor):
            return f"it returns {type(result).__name__}, expected a tensor"
        if tuple(result.shape) != shape:
            return f"it returns shape {_show(result.shape)}, expected {_show(shape)}"
        if result.is_floating_point() and not torch.isfinite(result).all():
            return "some of its numbers are not finite"
        return None

    return fits


def _show(shape: Sequence[int]) -> str:
    return f"({', '.join(map(str, shape))})"
