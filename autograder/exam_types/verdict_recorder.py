"""A sitting: one submission in front of the examiner, who alone issues its verdicts."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from autograder.exam_types.verdict import Verdict


@dataclass
class Sitting:
    """`seed` makes the hidden inputs; `verdicts` are those issued since the sitting began."""

    seed: str
    verdicts: list[Verdict] = field(default_factory=list)


_current: ContextVar[Sitting | None] = ContextVar("sitting", default=None)


def current_sitting() -> Sitting | None:
    return _current.get()


@contextmanager
def sitting(seed: str) -> Iterator[Sitting]:
    """Verdicts that `grade` issues meanwhile are recorded in the sitting."""
    token = _current.set(Sitting(seed))
    try:
        yield _current.get()
    finally:
        _current.reset(token)
