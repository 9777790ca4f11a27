"""Call a student's function, and turn whatever goes wrong into a Finding in the student's own terms."""

import inspect
import linecache
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import torch
from torch import Tensor

from course_lib.checks.finding import Finding, Kind, NotReadable, NotWritten
from course_lib.checks.forbidden import forbidding
from course_lib.checks.isolation import isolated
from course_lib.checks.remote_task import runs_in_student_process

_LIBRARIES = tuple(str(Path(inspect.getfile(module)).parent) for module in (torch, traceback))
LONGEST_MESSAGE = 400


@runs_in_student_process
def call(name: str, answer: object, arguments: Sequence[object], forbidden: Sequence[str] = ()) -> object:
    """answer(*arguments); an exception becomes a Finding that quotes the student's own line."""
    if answer is ... or answer is None:
        raise NotWritten(f"{name} is not written yet")
    if not callable(answer):
        raise NotReadable(f"should be a function, but it is of type {type(answer).__name__}", where=name)
    with forbidding(name, answer, forbidden), isolated() as interrupts:
        try:
            return answer(*arguments)
        except Finding:
            raise
        except NotImplementedError:
            raise NotWritten(
                f"{name} is not written yet: replace `raise NotImplementedError()` with your code"
            ) from None
        except BaseException as error:
            if interrupts:
                raise
            detail = f"{_message(error)}{_student_line(error)}"
            raise Finding(f"raised {type(error).__name__}", detail=detail, where=name, kind=Kind.RAISED) from None


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    return text[:LONGEST_MESSAGE]


def _student_line(error: BaseException) -> str:
    """Where it happened: the innermost line that is not a library's, without the checker's own frames."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    frames = [frame for frame in frames if not frame.filename.startswith(_LIBRARIES)]
    if not frames:
        return ""
    frame = frames[-1]
    line = linecache.getline(frame.filename, frame.lineno or 0).strip()
    return f"\nin line {frame.lineno} of the cell with {frame.name}: {line}" if line else ""


def named_outputs(name: str, value: object, names: Sequence[str]) -> dict[str, object]:
    """What was returned, by name; a list does for a tuple."""
    wanted = names[0] if len(names) == 1 else f"({', '.join(names)})"
    if value is None:
        raise Finding("returned nothing", wanted, "does it end with `return`?", where=name)
    if len(names) == 1:
        return {names[0]: plain(value)}
    if not isinstance(value, tuple | list):
        raise Finding(f"returned one {type(value).__name__}", f"{len(names)} values: {wanted}", where=name)
    if len(value) != len(names):
        raise Finding(f"returned {len(value)} values", f"{len(names)}: {wanted}", where=name)
    return {key: plain(part) for key, part in zip(names, value, strict=True)}


def plain(value: object) -> object:
    """A tensor of a student's own class as the tensor it holds, so that its methods cannot speak for it."""
    if not issubclass(type(value), Tensor) or type(value) is Tensor:
        return value
    with torch._C.DisableTorchFunctionSubclass():
        return Tensor.as_subclass(cast(Tensor, value), Tensor)


def require_tensor(name: str, value: object) -> Tensor:
    if type(value) is not Tensor:
        raise Finding(f"should be a tensor, but it is of type {type(value).__name__}", where=name)
    return value
