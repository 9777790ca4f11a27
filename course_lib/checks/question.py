"""A question to a student's code: what it is called with, and what it should return."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from torch import Tensor

from course_lib.checks.student_call import call, named_outputs

Outputs = dict[str, object]
T = TypeVar("T")


@dataclass(frozen=True)
class Question:
    """`outputs` names what the answer returns; `forbidden` lists the functions that it may not use."""

    exercise: str
    answer: object
    arguments: Mapping[str, object]
    outputs: Sequence[str]
    forbidden: Sequence[str] = ()

    def argument(self, name: str, kind: type[T]) -> T:
        """The argument of this name; a TypeError if the exam drew a value of another type."""
        value = self.arguments[name]
        if not isinstance(value, kind):
            raise TypeError(f"{self.exercise}: {name} is of type {type(value).__name__}, expected {kind.__name__}")
        return value

    def items(self, name: str) -> list:
        """The entries of an argument that the exam draws as a list; a card gives it back as a tuple."""
        value = self.arguments[name]
        return list(value) if isinstance(value, tuple) else self.argument(name, list)

    def with_arguments(self, **arguments: object) -> "Question":
        """The same question with some arguments replaced; their order stays."""
        return replace(self, arguments={**self.arguments, **arguments})

    def copies(self) -> dict[str, object]:
        """The arguments with every tensor copied: an answer that writes into one does not change the question."""
        return {name: copy(value) for name, value in self.arguments.items()}

    def call(self, *arguments: object) -> object:
        """What the answer returns for these arguments; an exception becomes a Finding."""
        return call(self.exercise, self.answer, list(arguments), self.forbidden)

    def ask(self, *arguments: object) -> Outputs:
        """What the answer returns for these arguments, by the names in `outputs`."""
        return named_outputs(self.exercise, self.call(*arguments), self.outputs)


def copy(value: object) -> object:
    return value.detach().clone() if isinstance(value, Tensor) else value
