"""Counterexample: the answer is tensors that refute a claim; the claim is evaluated on them."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam
from course_lib.checks.answer_forms.values import read_parts
from course_lib.checks.claims import CLAIMS, NotRefuted


@dataclass(frozen=True, kw_only=True)
class CounterexampleExam(Exam[Criterion]):
    """`parts` is the form of the answer; the claim is the one of course_lib.checks.claims for this exercise."""

    parts: Sequence[str]
    example: Callable[[], Sequence[object]]

    @property
    def reference(self) -> Sequence[object]:
        return self.example()

    def examine(self, answer: object, criterion: Criterion, draw: Draw) -> None:
        parts = read_parts(self.exercise, answer, self.parts)
        try:
            CLAIMS[self.exercise](*parts)
        except NotRefuted as finding:
            raise finding.explained(self.mistakes(finding.known) if finding.known else ()) from None

    def card(self) -> dict:
        mistakes = {known.slug: asdict(self.mistake(known)) for known in self.misconceptions}
        return {"kind": "counterexample", "parts": list(self.parts), "mistakes": mistakes}
