"""Student-written tests: whether a test rejects an implementation, and the form of a test."""

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from course_lib.checks.answer_forms.numbers import is_array
from course_lib.checks.finding import Finding, NotReadable
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call
from course_lib.checks.student_frames import student_frames


@dataclass(frozen=True)
class Outcome:
    """Whether the test rejected the implementation, and its message; `crash` is an error in the test's own code.

    `error` is the type of an error inside the implementation, which is no judgment of the test; `line` is
    the test's own line where it crashed; `asked` says how
    often the implementation was called, "alike" if the two calls of each pair got the same tensors.
    """

    alarm: bool
    message: str = ""
    crash: bool = False
    error: str = ""
    line: str = ""
    asked: str = ""

    def is_like(self, other: "Outcome") -> bool:
        """Whether the same test may have given both."""
        return (self.alarm, self.crash, self.error, self.asked) == (other.alarm, other.crash, other.error, other.asked)


def run_test(name: str, test: object, implementation: Callable, seed: int = 0) -> Outcome:
    """Run the test on the implementation; torch's global generator starts from the seed."""
    return Outcome(*alarm(name, test, implementation, seed))


@runs_in_student_process
def alarm(name: str, test: object, implementation: Callable, seed: int) -> tuple[bool, str, bool, str, str, str]:
    """The parts of an Outcome.

    An alarm is an AssertionError, False as the result, or an error raised inside the implementation. Any other error
    is the test's own: it gives no alarm, because nobody could tell it from a broken test.
    """
    raised: list[BaseException] = []
    asked: list[list[Tensor]] = []

    def guarded(*arguments: object, **options: object) -> object:
        given = (*arguments, *options.values())
        asked.append([value.detach().clone() for value in given if type(value) is Tensor])
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
        return *call(name, watched, (guarded,)), _how_asked(asked)


def _outcome(raised: list[BaseException], test: Callable, implementation: Callable) -> tuple[bool, str, bool, str, str]:
    try:
        result = test(implementation)
    except NotImplementedError:
        raise
    except AssertionError as error:
        return True, f"AssertionError: {error}".rstrip(": "), False, "", ""
    except Exception as error:
        inside = any(error is known for known in raised)
        kind, frames = type(error).__name__, student_frames(error)
        line = frames[-1].line if frames else ""
        return inside, f"{kind}: {error}", not inside, kind if inside else "", line
    return _is_false(result), "it returned False" if _is_false(result) else "", False, "", ""


def _how_asked(asked: list[list[Tensor]]) -> str:
    if len(asked) < 2:
        return ("never", "once")[len(asked)]
    pairs = list(zip(asked[::2], asked[1::2], strict=False))
    alike = (len(one) == len(other) and all(map(torch.equal, one, other)) for one, other in pairs)
    return "alike" if 2 * len(pairs) == len(asked) and all(alike) else "differently"


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
