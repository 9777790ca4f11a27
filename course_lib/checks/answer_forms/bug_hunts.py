"""Student-written tests: whether a test rejects an implementation, and the form of a test."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass

import torch

from course_lib.checks.answer_forms.numbers import is_array
from course_lib.checks.finding import Finding, NotReadable
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call


@dataclass(frozen=True)
class Outcome:
    """Whether the test rejected the implementation, and its message; `crash` is an error in the test's own code."""

    alarm: bool
    message: str = ""
    crash: bool = False


def run_test(name: str, test: object, implementation: Callable, seed: int = 0) -> Outcome:
    """Run the test on the implementation; torch's global generator starts from the seed."""
    return Outcome(*alarm(name, test, implementation, seed))


@runs_in_student_process
def alarm(name: str, test: object, implementation: Callable, seed: int) -> tuple[bool, str, bool]:
    """The parts of an Outcome.

    An alarm is an AssertionError, False as the result, or an error raised inside the implementation. Any other error
    is the test's own: it gives no alarm, because nobody could tell it from a broken test.
    """
    raised: list[BaseException] = []

    def guarded(*arguments: object, **options: object) -> object:
        try:
            return implementation(*arguments, **options)
        except Exception as error:
            raised.append(error)
            raise

    # not functools.wraps: neither its name nor its source may tell a planted bug from correct code
    guarded.__name__ = guarded.__qualname__ = "implementation"
    vars(guarded)["__signature__"] = inspect.signature(implementation)
    watched = functools.partial(_outcome, raised, test) if callable(test) else test
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # torch.manual_seed asks for other devices, which takes longer
        return call(name, watched, (guarded,))


def _outcome(raised: list[BaseException], test: Callable, implementation: Callable) -> tuple[bool, str, bool]:
    try:
        result = test(implementation)
    except NotImplementedError:
        raise
    except AssertionError as error:
        return True, f"AssertionError: {error}".rstrip(": "), False
    except Exception as error:
        inside = any(error is known for known in raised)
        return inside, f"{type(error).__name__}: {error}", not inside
    return _is_false(result), "it returned False" if _is_false(result) else "", False


def _is_false(result: object) -> bool:
    if is_array(result):
        return str(result.dtype).endswith("bool") and not bool(result.all())
    return result is False


def check_test(name: str, test: object) -> None:
    """Raise a Finding unless the test takes one argument, an implementation, and calls it."""
    if callable(test):
        try:
            inspect.signature(test).bind(None)
        except TypeError:
            raise NotReadable("should take one argument, the implementation to be tested", where=name) from None
        except ValueError:
            pass  # a callable without a signature, such as a built-in
    called = False

    def probe(*arguments: object, **options: object) -> object:
        nonlocal called
        called = True
        raise AssertionError("this implementation gives no result")

    try:
        call(name, test, (probe,))
    except Finding:
        if not called:
            raise
    if not called:
        raise NotReadable(
            "never calls the implementation it is given", detail="ask it for a result and look at that", where=name
        )
