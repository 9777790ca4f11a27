"""The guard around an answer's call: what its source names, then what it runs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from course_lib.checks.finding import Finding, Kind
from course_lib.checks.forbidden.doubts import Doubt, note_doubts
from course_lib.checks.forbidden.meaning import meaning_of
from course_lib.checks.forbidden.watch import Ran, is_watching, watching
from course_lib.checks.forbidden.written import written_in

# The sandbox puts what pauses the notebook's other processes here; on a student's own machine nothing is paused.
alone: Callable[[set[Doubt]], AbstractContextManager[object]] = nullcontext


@contextmanager
def forbidding(exercise: str, answer: object, paths: Sequence[str]) -> Iterator[None]:
    """Raise a Finding if the answer is or names a function in `paths`, or if what runs in this context does its work.

    A path is a name such as torch.softmax.
    """
    if path := written_in(answer, paths):
        raise _finding(exercise, f"{path}: writing what it does is the point of this exercise")
    if not paths or is_watching():  # a check may call the answer within a function of its own, which is watched
        yield
        return
    ran = Ran()
    try:
        with alone(ran.doubts), watching(ran):
            yield
    except Finding:
        ran.switched_off = False  # as when the stack is full: Python takes off what cannot be called
        _require_allowed(exercise, ran, paths)
        raise
    _require_allowed(exercise, ran, paths)


def _require_allowed(exercise: str, ran: Ran, paths: Sequence[str]) -> None:
    note_doubts(ran.doubts)
    if meant := meaning_of(ran.names(), paths):
        path, name = meant
        does = f"{path}: writing what it does" if name is None else f"{name}, which does what {path} does: writing that"
        raise _finding(exercise, f"{does} is the point of this exercise")
    if ran.started:
        raise _finding(exercise, f"{ran.started}, where its calls cannot be seen: compute in the function itself")
    if ran.switched_off:
        raise _finding(exercise, "what hides its calls, such as sys.setprofile or a profiler: leave those alone")


def _finding(exercise: str, what: str) -> Finding:
    return Finding(f"{exercise} may not use {what}", kind=Kind.FORBIDDEN)
