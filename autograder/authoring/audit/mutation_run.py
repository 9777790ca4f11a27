"""Mutation testing of a code exam: the share of small changes to its reference that lose points."""

import signal
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from autograder.authoring.audit.equivalent_mutants import EQUIVALENT
from autograder.authoring.audit.mutants import Mutant, build, mutants, unchanged
from autograder.errors import CourseError
from autograder.exam_types import CodeExam
from course_lib.cards.observed import Kind

SEEDS = range(3)
ENOUGH = 0.95
SECONDS = 10  # limit for one mutant, which usually takes milliseconds: some loop forever
A_MOMENT = 0.001  # seconds until the next attempt to interrupt


class TookTooLong(BaseException):
    """A BaseException, so that no `except Exception` in a mutant swallows it."""


@dataclass(frozen=True)
class MutationRun:
    """`equivalent` are survivors declared in EQUIVALENT; `stale` are declarations whose mutant was caught."""

    exercise: str
    total: int
    survivors: tuple[str, ...]
    equivalent: tuple[str, ...]
    stale: tuple[str, ...]

    @property
    def expected(self) -> int:
        """How many should be caught."""
        return self.total - len(self.equivalent)

    @property
    def caught(self) -> int:
        return self.expected - len(self.survivors)

    @property
    def share(self) -> float:
        return self.caught / self.expected if self.expected else 1.0

    @property
    def enough(self) -> bool:
        return self.share >= ENOUGH and not self.stale


def run_mutants(exam: CodeExam, equivalent: Mapping[str, Mapping[str, str]] = EQUIVALENT) -> MutationRun:
    """Grade every mutant of the reference; a CourseError if the reference itself, rebuilt from source, loses points."""
    declared = equivalent.get(exam.exercise, {})
    if _is_caught(exam, build(exam.reference, unchanged(exam.reference))):
        raise CourseError(
            f"the reference of {exam.exercise} loses points when it is built from its source, "
            "so its mutants say nothing: does it need a name that its module does not have?"
        )
    tried = mutants(exam.reference)
    survived = [mutant.description for mutant in tried if _survives(exam, mutant)]
    return MutationRun(
        exam.exercise,
        total=len(tried),
        survivors=tuple(text for text in survived if text not in declared),
        equivalent=tuple(text for text in survived if text in declared),
        stale=tuple(text for text in declared if text not in survived),
    )


def _survives(exam: CodeExam, mutant: Mutant) -> bool:
    """Whether it gets full points, or makes the exam itself fail, which counts as not caught."""
    try:
        answer = build(exam.reference, mutant.source)
    except Exception:
        return False
    try:
        with _time_limit(SECONDS):
            return not _is_caught(exam, answer)
    except TookTooLong:
        return False
    except Exception:
        return True


def _is_caught(exam: CodeExam, answer: Callable[..., object]) -> bool:
    """Whether a criterion failed; one that could not examine the answer does not count."""
    verdicts = [exam.grade(answer, seed) for seed in SEEDS]
    lost = [criterion for verdict in verdicts for criterion in verdict.criteria if not criterion.passed]
    return any(criterion.observed and criterion.observed.kind is not Kind.NOT_EXAMINED for criterion in lost)


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise TookTooLong after some seconds, and again in case it is caught; does nothing outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        # Python prints and discards exceptions raised in a finalizer, or in what it calls: wait until it is over.
        codes = (each.f_code for each, _ in traceback.walk_stack(frame)) if frame else ()
        if any(code.co_filename == weakref.__file__ or code.co_name == "__del__" for code in codes):
            signal.setitimer(signal.ITIMER_REAL, A_MOMENT, seconds)
        else:
            raise TookTooLong

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
