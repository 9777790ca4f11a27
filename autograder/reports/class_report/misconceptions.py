"""The misconceptions of a class, ranked, each with a sentence for the next lecture."""

from collections.abc import Mapping
from dataclasses import dataclass

from autograder.course.hints import Guide
from autograder.exam_types.verdict import Verdict
from course_lib.cards.observed import Mistake

NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"]


@dataclass(frozen=True)
class Ranked:
    """A mistake of the class: in which exercise, how many made it, and what one could say about it."""

    exercise: str
    guide: Guide | None
    mistake: Mistake
    count: int
    share: float

    @property
    def in_a_lecture(self) -> str:
        where = f" in exercise {self.guide.number}" if self.guide else f" in {self.exercise}"
        many = NUMBERS[self.count] if self.count < len(NUMBERS) else str(self.count)
        sentence = f"{many} of you{where}: {_in_a_sentence(self.mistake.says)}"
        number = self.guide.number_of(self.mistake.hint) if self.guide and self.mistake.hint else None
        return f"{sentence} Hint {number}, “{self.mistake.hint}”, helps." if number else sentence


def misunderstood(verdict: Verdict) -> set[Mistake]:
    """The known mistakes behind a verdict, each once: the first that explains a criterion, two if made at once."""
    return {mistake for criterion in verdict.criteria if not criterion.passed for mistake in criterion.mistakes}


def rank(counts: Mapping[tuple[str, Mistake], int], guides: Mapping[str, Guide], handed_in: int) -> list[Ranked]:
    """The most frequent first; of equals, in the order of the notebook."""
    order = {name: place for place, name in enumerate(guides)}
    ranked = [
        Ranked(exercise, guides.get(exercise), mistake, count, count / max(1, handed_in))
        for (exercise, mistake), count in counts.items()
    ]
    return sorted(ranked, key=lambda one: (-one.count, order.get(one.exercise, len(order)), one.mistake.says))


def _in_a_sentence(says: str) -> str:
    """Said after a colon: an ordinary first word loses its capital, a name or a symbol keeps it."""
    first = says.split()[0]
    ordinary = first.isalpha() and len(first) > 1 and first[1:].islower() and first != "Statement"
    return says[0].lower() + says[1:] if ordinary else says
