"""Call a student's function, and turn whatever goes wrong into a Finding in the student's own terms."""

from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor

from course_lib.checks.finding import Finding, Kind, NotReadable, NotWritten
from course_lib.checks.forbidden import forbidding
from course_lib.checks.isolation import isolated
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_frames import StudentFrame, stub_frames, student_frames

LONGEST_MESSAGE = 400
BAD_ADVICE = " Use tensor.detach().numpy() instead."  # torch's, and who follows it loses the gradient that is asked for


@runs_in_student_process
def call(name: str, answer: object, arguments: Sequence[object], forbidden: Sequence[str] = ()) -> object:
    """answer(*arguments); an exception becomes a Finding."""
    if answer is ... or answer is None:
        raise NotWritten(f"{name} is not written yet")
    if not callable(answer):
        raise NotReadable(f"should be a function, but it is of type {type(answer).__name__}", where=name)
    with forbidding(name, answer, forbidden), isolated() as interrupts:
        try:
            return answer(*arguments)
        except Finding:
            raise
        except BaseException as error:
            if interrupts:
                raise
            raise _finding(name, error) from None


@runs_in_student_process
def call_with_other_draws(
    name: str, answer: object, arguments: Sequence[object], forbidden: Sequence[str] = ()
) -> object:
    """As `call`, where the next random numbers are others than those that an earlier call found."""
    with torch.random.fork_rng(devices=[]):
        torch.rand(1)
        return call(name, answer, arguments, forbidden)


def _finding(name: str, error: BaseException) -> Finding:
    """A stub says what is not written; anything else quotes Python's message and the student's own line."""
    if isinstance(error, NotImplementedError) and (stub := stub_frames(error)):
        return _unwritten(name, stub)
    frames = student_frames(error)
    line = frames[-1].line if frames else ""
    raised = type(error).__name__
    return Finding(f"raised {raised}", detail=_message(error), where=name, kind=Kind.RAISED, line=line, error=raised)


def _unwritten(name: str, frames: Sequence[StudentFrame]) -> Finding:
    """The answer is written where it calls another one, whose stub raised."""
    answer, stub = frames[0].answer, frames[-1].answer
    if answer != stub:
        line = next(frame.line for frame in reversed(frames) if frame.answer != stub)
        return Finding(f"calls `{stub}`, which is not written yet", where=name, kind=Kind.RAISED, line=line)
    return NotWritten(f"{name} is not written yet: replace `raise NotImplementedError()` with your code")


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    return text.replace(BAD_ADVICE, "")[:LONGEST_MESSAGE]


def named_outputs(name: str, value: object, names: Sequence[str]) -> dict[str, object]:
    """What was returned, by name; a list does for a tuple."""
    wanted = names[0] if len(names) == 1 else f"({', '.join(names)})"
    if value is None:
        raise Finding("returned nothing", wanted, "does it end with `return`?", where=name)
    if len(names) == 1:
        if isinstance(value, tuple) and len(value) > 1:
            raise Finding(f"returned {len(value)} values", f"{wanted} alone", where=name)
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
