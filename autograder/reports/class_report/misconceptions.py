"""The misconceptions of a class, ranked, each with a sentence for the next lecture."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from autograder.course.hints import Guide
from autograder.exam_types import ChooseExam
from autograder.exam_types.verdict import Verdict
from autograder.exams import find_exam

TWO_SLIPS = "Two slips at once: "
JUDGED_WRONGLY = re.compile(r"^([A-Z]) is (true|false): (.+)$", re.MULTILINE)
HINT = re.compile(r"\s*See hint (\d+)\.$")
NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"]


@dataclass(frozen=True)
class Misunderstood:
    """One mistake as the exam names it; `hint` is the hint of the notebook that helps."""

    says: str
    hint: int | None = None


@dataclass(frozen=True)
class Ranked:
    """A mistake of the class: in which exercise, how many made it, and what one could say about it."""

    exercise: str
    guide: Guide | None
    mistake: Misunderstood
    count: int
    share: float

    @property
    def in_a_lecture(self) -> str:
        where = f" in exercise {self.guide.number}" if self.guide else f" in {self.exercise}"
        many = NUMBERS[self.count] if self.count < len(NUMBERS) else str(self.count)
        sentence = f"{many} of you{where}: {_in_a_sentence(self.mistake.says)}"
        hint = self.guide.hints.get(self.mistake.hint) if self.guide and self.mistake.hint else None
        return f"{sentence} Hint {self.mistake.hint}, “{hint}”, helps." if hint else sentence


def misunderstood(exercise: str, verdict: Verdict) -> set[Misunderstood]:
    """The known mistakes behind a verdict, each once; two slips at once are two."""
    exam = find_exam(exercise)
    failed = [criterion for criterion in verdict.criteria if not criterion.passed]
    if isinstance(exam, ChooseExam):
        lines = [line for criterion in failed for line in JUDGED_WRONGLY.findall(criterion.message)]
        return {Misunderstood(f"Statement {letter} is {truth}: {reason}") for letter, truth, reason in lines}
    found: set[Misunderstood] = set()
    for diagnosis in {criterion.diagnosis for criterion in failed if criterion.diagnosis}:
        known = exam.misconceptions if exam and diagnosis.startswith(TWO_SLIPS) else ()
        parts = [one.sentence for one in known if one.sentence in diagnosis] or [diagnosis]
        found |= {_mistake(part) for part in parts}
    return found


def rank(counts: Mapping[tuple[str, Misunderstood], int], guides: Mapping[str, Guide], handed_in: int) -> list[Ranked]:
    """The most frequent first; of equals, in the order of the notebook."""
    order = {name: place for place, name in enumerate(guides)}
    ranked = [
        Ranked(exercise, guides.get(exercise), mistake, count, count / max(1, handed_in))
        for (exercise, mistake), count in counts.items()
    ]
    return sorted(ranked, key=lambda one: (-one.count, order.get(one.exercise, len(order)), one.mistake.says))


def _mistake(sentence: str) -> Misunderstood:
    hint = HINT.search(sentence)
    return Misunderstood(HINT.sub("", sentence), int(hint[1]) if hint else None)


def _in_a_sentence(says: str) -> str:
    """Said after a colon: an ordinary first word loses its capital, a name or a symbol keeps it."""
    first = says.split()[0]
    ordinary = first.isalpha() and len(first) > 1 and first[1:].islower() and first != "Statement"
    return says[0].lower() + says[1:] if ordinary else says
