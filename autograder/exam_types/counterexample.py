"""Counterexample: the answer is tensors that refute a claim; the claim is evaluated on them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam
from course_lib.checks.answer_forms.values import read_parts


@dataclass(frozen=True, kw_only=True)
class CounterexampleExam(Exam):
    """`parts` is the form of the answer; `refute` raises a Finding with the numbers when the claim holds on it."""

    parts: Sequence[str]
    refute: Callable[..., None]
    example: Callable[[], Sequence[object]]

    @property
    def reference(self) -> Sequence[object]:
        return self.example()

    def examine(self, answer: object, criterion: Criterion, draw: Draw) -> None:
        self.refute(*read_parts(self.exercise, answer, self.parts))

    def card(self) -> dict:
        return {"kind": "counterexample", "parts": list(self.parts)}
