"""Counterexample: the answer is tensors that refute a claim; the claim is evaluated on them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam
from course_lib.checks import Finding
from course_lib.checks.answer_forms.values import read_parts


class NotRefuted(Finding):
    """The claim holds on the student's tensors; `known` is what the misconception behind it says."""

    def __init__(self, got: str, expected: str = "", *, known: str | None):
        super().__init__(got, expected)
        self.known = known


@dataclass(frozen=True, kw_only=True)
class CounterexampleExam(Exam[Criterion]):
    """`parts` is the form of the answer; `refute` raises NotRefuted with the numbers when the claim holds on it."""

    parts: Sequence[str]
    refute: Callable[..., None]
    example: Callable[[], Sequence[object]]

    @property
    def reference(self) -> Sequence[object]:
        return self.example()

    def examine(self, answer: object, criterion: Criterion, draw: Draw) -> None:
        parts = read_parts(self.exercise, answer, self.parts)
        try:
            self.refute(*parts)
        except NotRefuted as finding:
            known = (one for one in self.misconceptions if one.says == finding.known)
            raise finding.explained(tuple(map(self.mistake, islice(known, 1)))) from None

    def card(self) -> dict:
        return {"kind": "counterexample", "parts": list(self.parts)}
