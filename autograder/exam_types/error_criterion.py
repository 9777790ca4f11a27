"""A criterion that asks a module to refuse bad sizes or inputs with an error that says what is wrong."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion
from course_lib.checks import Finding
from course_lib.checks.answer_forms.errors import error_raised
from course_lib.checks.answer_forms.weight_transfer import construct
from course_lib.checks.student_call import LONGEST_MESSAGE, call

Drawn = tuple[Sequence[object], Sequence[object] | None]


@dataclass(frozen=True)
class RefusalCriterion(Criterion):
    """What `refused` draws must end in an error with a sentence, what `allowed` draws must not.

    Each draws the constructor's arguments and the inputs; inputs of None ask the constructor alone.
    `names` gives, from what is refused, the numbers that the error must name.
    """

    allowed: Callable[[Draw], Drawn]
    refused: Callable[[Draw], Drawn]
    names: Callable[[Any, Any], Sequence[int]] | None = None

    def question(self, exercise: str, draw: Draw) -> Callable[[object], None]:
        """What raises a Finding unless the answer refuses what it should, and only that."""
        allowed, refused = self.allowed(draw), self.refused(draw)

        def ask(answer: object) -> None:
            module = construct(exercise, answer, allowed[0])
            if allowed[1] is not None:
                call(exercise, module, allowed[1])
            error = error_raised(exercise, answer, *refused)
            shown = f"{exercise}({', '.join(map(str, refused[0]))}){_called(refused[1])}"
            if error is None:
                raise Finding("raises no error", "one that says what is wrong", where=shown)
            kind, message = error
            if not message.strip():
                raise Finding(f"raises {kind} without a word", detail="say in it what is wrong", where=shown)
            wanted = [str(number) for number in self.names(*refused)] if self.names else []
            if missing := [number for number in wanted if number not in re.findall(r"\d+", message)]:
                raise Finding(
                    f"raises {kind}",
                    detail=f"{message[:LONGEST_MESSAGE]}\nexpected an error that names {' and '.join(wanted)}, "
                    f"but it does not say {' or '.join(missing)}",
                    where=shown,
                )

        return ask


def _called(inputs: Sequence[object] | None) -> str:
    shapes = [str(tuple(value.shape)) for value in inputs or () if isinstance(value, Tensor)]
    return f", called with inputs of shape {', '.join(shapes)}," if shapes else ""
