"""A criterion that asks a module to refuse bad sizes or inputs with an error that says what is wrong."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion
from course_lib.cards.cards import encode
from course_lib.checks.refusals import Asked, Refusal


@dataclass(frozen=True)
class RefusalCriterion(Criterion):
    """What `refused` draws must end in an error with a sentence, what `allowed` draws must not.

    Each draws the constructor's arguments and the inputs; inputs of None ask the constructor alone.
    `names` gives, from what is refused, the numbers that the error must name.
    """

    allowed: Callable[[Draw], Asked]
    refused: Callable[[Draw], Asked]
    names: Callable[[Any, Any], Sequence[int]] | None = None

    def refusal(self, exercise: str, draw: Draw) -> Refusal:
        """The question to an answer, with what is drawn."""
        allowed, refused = self.allowed(draw), self.refused(draw)
        return Refusal(exercise, allowed, refused, self.names(*refused) if self.names else ())

    def card(self, exercise: str, draw: Draw) -> dict:
        """The same as plain JSON."""
        refusal = self.refusal(exercise, draw)
        return {
            "name": self.name,
            "allowed": _encoded(refusal.allowed),
            "refused": _encoded(refusal.refused),
            "names": list(refusal.names),
        }


def _encoded(asked: Asked) -> dict:
    sizes, inputs = asked
    return {"sizes": list(sizes), "inputs": None if inputs is None else [encode(value) for value in inputs]}
