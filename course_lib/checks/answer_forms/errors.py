"""The error that an answer raises for bad sizes or inputs."""

from collections.abc import Callable, Sequence

from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call


@runs_in_student_process
def error_raised(
    name: str, answer: object, sizes: Sequence[object], inputs: Sequence[object] | None
) -> tuple[str, str] | None:
    """The type and the message of what answer(*sizes)(*inputs) raises; inputs of None ask the constructor alone."""
    return call(name, _error, (answer, sizes, inputs))


def _error(answer: Callable, sizes: Sequence[object], inputs: Sequence[object] | None) -> tuple[str, str] | None:
    try:
        module = answer(*sizes)
        if inputs is not None:
            module(*inputs)
    except NotImplementedError:
        raise
    except Exception as error:
        return type(error).__name__, str(error)
    return None
