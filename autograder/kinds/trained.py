"""Trained: the answer is a function that a model was trained for, judged by the share it gets right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.draw import Draw
from autograder.exam import Criterion, Exam, derive
from course_lib.checks import Finding, NotWritten
from course_lib.checks.calling import call
from course_lib.checks.cards import encode

ON_THE_CARD = 3
SAME = 0.9  # two answers that agree on so many inputs make the same mistake


@dataclass(frozen=True)
class ShareCriterion(Criterion):
    """So large a share must be right."""

    enough: float


@dataclass(frozen=True, kw_only=True)
class TrainedExam(Exam):
    """`draw` makes so many unseen inputs: what each is in words, the arguments of one call, and the right results.

    `read` makes what was returned into as many results, or raises a Finding. A share that is asked for leaves room:
    neither the luck of a training nor that of the inputs decides.
    """

    function: Callable
    draw: Callable[[Draw, int], tuple[Sequence[str], Sequence[object], Sequence[str]]]
    read: Callable[[object, int], Sequence[str]]
    criteria: Sequence[ShareCriterion]
    count: int = 200

    @property
    def reference(self) -> Callable:
        return self.function

    def examine(self, answer: object, criterion: ShareCriterion, draw: Draw) -> None:
        words, arguments, wanted = self.draw(draw, self.count)
        try:
            results = self._results(answer, arguments, len(wanted))
        except NotWritten:
            raise
        except Finding as finding:
            raise Finding(str(finding), diagnosis=self._same_finding(arguments, len(wanted), str(finding))) from None
        wrong = [place for place, result in enumerate(results) if result != wanted[place]]
        right = len(wanted) - len(wrong)
        if right >= criterion.enough * len(wanted):
            return
        first = wrong[0]
        message = (
            f"{right} of {len(wanted)} are right, expected at least {criterion.enough:.0%}; for example, "
            f"{words[first]!r} becomes {results[first]!r}, expected {wanted[first]!r}"
        )
        raise Finding(message, diagnosis=self._diagnosis(arguments, results, wrong))

    def card(self) -> dict:
        _, arguments, _ = self.draw(Draw(derive(0, "card", self.exercise)), ON_THE_CARD)
        return {"kind": "trained", "arguments": [encode(value) for value in arguments]}

    def _results(self, answer: object, arguments: Sequence[object], count: int) -> Sequence[str]:
        return self.read(call(self.exercise, answer, arguments), count)

    def _same_finding(self, arguments: Sequence[object], count: int, message: str) -> str | None:
        for known in self.misconceptions:
            try:
                self._results(known.answer, arguments, count)
            except Finding as finding:
                if str(finding) == message:
                    return known.sentence
        return None

    def _diagnosis(self, arguments: Sequence[object], results: Sequence[str], wrong: Sequence[int]) -> str | None:
        """The sentence of the known mistake that gives nearly the same wrong results."""
        for known in self.misconceptions:
            try:
                theirs = self._results(known.answer, arguments, len(results))
            except Finding:
                continue
            if sum(theirs[place] == results[place] for place in wrong) >= SAME * len(wrong):
                return known.sentence
        return None
