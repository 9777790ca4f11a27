"""Collect the verdicts that `grade` issues while a graded cell runs: its points come from them, not from its output."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from autograder.exam_types.verdict import Verdict


@dataclass
class VerdictRecorder:
    """`seed` makes the hidden inputs of one submission; `verdicts` are those issued so far, in order."""

    seed: str
    verdicts: list[Verdict] = field(default_factory=list)


_current: ContextVar[VerdictRecorder | None] = ContextVar("verdict_recorder", default=None)


def current_recorder() -> VerdictRecorder | None:
    return _current.get()


@contextmanager
def recording_verdicts(seed: str) -> Iterator[VerdictRecorder]:
    """A context in which `grade` takes its seed from the recorder and adds its verdicts to it."""
    recorder = VerdictRecorder(seed)
    token = _current.set(recorder)
    try:
        yield recorder
    finally:
        _current.reset(token)
