"""What an answer must refuse with an error that says what is wrong, and what it must not refuse."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from course_lib.checks.answer_forms.errors import error_raised
from course_lib.checks.answer_forms.weight_transfer import construct
from course_lib.checks.finding import Finding
from course_lib.checks.student_call import LONGEST_MESSAGE, call

Asked = tuple[Sequence[object], Sequence[object] | None]


@dataclass(frozen=True)
class Refusal:
    """Each pair has the constructor's arguments and the inputs; inputs of None ask the constructor alone.

    `names` are the numbers that the error must name.
    """

    exercise: str
    allowed: Asked
    refused: Asked
    names: Sequence[int] = ()

    def examine(self, answer: object) -> None:
        """Raise a Finding unless the answer refuses what it should, and only that."""
        module = construct(self.exercise, answer, self.allowed[0])
        if self.allowed[1] is not None:
            call(self.exercise, module, self.allowed[1])
        error = error_raised(self.exercise, answer, *self.refused)
        shown = f"{self.exercise}({', '.join(map(str, self.refused[0]))}){_called(self.refused[1])}"
        if error is None:
            raise Finding("raises no error", "one that says what is wrong", where=shown)
        kind, message = error
        if not message.strip():
            raise Finding(f"raises {kind} without a word", detail="say in it what is wrong", where=shown)
        wanted = [str(number) for number in self.names]
        if missing := [number for number in wanted if number not in re.findall(r"\d+", message)]:
            raise Finding(
                f"raises {kind}",
                detail=f"{message[:LONGEST_MESSAGE]}\nexpected an error that names {' and '.join(wanted)}, "
                f"but it does not say {' or '.join(missing)}",
                where=shown,
            )


def _called(inputs: Sequence[object] | None) -> str:
    shapes = [str(tuple(value.shape)) for value in inputs or () if isinstance(value, Tensor)]
    return f", called with inputs of shape {', '.join(shapes)}," if shapes else ""
