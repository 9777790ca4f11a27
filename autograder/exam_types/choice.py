"""Choose: the answer is one or several letters; a wrong choice gets the reason why it is wrong."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam
from course_lib.cards.observed import Kind, Mistake
from course_lib.checks import Finding
from course_lib.checks.answer_forms.values import read_choice


@dataclass(frozen=True)
class Option:
    """Whether a statement is true, and the reason to give to a student who judged it wrongly."""

    true: bool
    reason: str


@dataclass(frozen=True, kw_only=True)
class ChooseExam(Exam[Criterion]):
    """Each true statement found counts for it, each false one chosen counts against it."""

    options: Mapping[str, Option]

    @property
    def reference(self) -> str:
        return "".join(letter for letter, option in self.options.items() if option.true)

    def examine(self, answer: object, criterion: Criterion, draw: Draw) -> None:
        chosen = read_choice(self.exercise, answer, "".join(self.options))
        true = set(self.reference)
        if chosen == true:
            return
        reasons = [f"{letter} is false: {self.options[letter].reason}" for letter in sorted(chosen - true)]
        reasons += [f"{letter} is true: {self.options[letter].reason}" for letter in sorted(true - chosen)]
        share = max(0, len(chosen & true) - len(chosen - true)) / len(true)
        raise Finding("\n".join(reasons), kind=Kind.MISJUDGED, share=share, mistakes=self.statements(chosen ^ true))

    def statements(self, misjudged: Iterable[str]) -> tuple[Mistake, ...]:
        """The mistakes of judging these statements wrongly."""
        return tuple(self._statement(letter) for letter in sorted(misjudged))

    def _statement(self, letter: str) -> Mistake:
        option = self.options[letter]
        says = f"Statement {letter} is {'true' if option.true else 'false'}: {option.reason}"
        return Mistake(f"{self.exercise}/{letter}", says)

    def card(self) -> dict:
        return {"kind": "choose", "letters": "".join(self.options)}
