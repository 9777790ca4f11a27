"""Trained: the answer is a function that a model was trained for, judged by the share it gets right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam
from course_lib.cards.observed import Mistake, Observed
from course_lib.checks import Finding, NotWritten
from course_lib.checks.question import copy
from course_lib.checks.student_call import call

MOST_REMEMBERED = 200
Made = TypeVar("Made")
SAME = 0.9  # two answers that agree on so many inputs make the same mistake


@dataclass(frozen=True)
class ShareCriterion(Criterion):
    """So large a share must be right."""

    enough: float


@dataclass(frozen=True, kw_only=True)
class TrainedExam(Exam[ShareCriterion]):
    """`draw` makes so many unseen inputs: what each is in words, the arguments of one call, and the right results.

    `read` makes what was returned into as many results, or raises a Finding. A share that is asked for leaves room:
    neither the luck of a training nor that of the inputs decides.
    """

    function: Callable
    draw: Callable[[Draw, int], tuple[Sequence[str], Sequence[object], Sequence[str]]]
    read: Callable[[object, int], Sequence[str]]
    count: int = 200
    _made: dict[tuple[str, int], Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def reference(self) -> Callable:
        return self.function

    def examine(self, answer: object, criterion: ShareCriterion, draw: Draw) -> None:
        words, arguments, wanted = self._remembered(("inputs", draw.seed), lambda: self.draw(draw, self.count))
        try:
            results = self._results(answer, arguments, len(wanted))
        except NotWritten:
            raise
        except Finding as finding:
            raise finding.explained(self._same_finding(draw.seed, arguments, finding.observed)) from None
        wrong = [place for place, result in enumerate(results) if result != wanted[place]]
        right = len(wanted) - len(wrong)
        if right >= criterion.enough * len(wanted):
            return
        first = wrong[0]
        raise Finding(
            f"{right} of {len(wanted)} are right",
            f"at least {criterion.enough:.0%}; for example, "
            f"{words[first]!r} becomes {results[first]!r}, expected {wanted[first]!r}",
            mistakes=self._same_results(draw.seed, arguments, results, wrong),
        )

    def card(self) -> dict:
        return {"kind": "trained", "shares": {criterion.name: criterion.enough for criterion in self.criteria}}

    def _results(self, answer: object, arguments: Sequence[object], count: int) -> Sequence[str]:
        return self.read(call(self.exercise, answer, [copy(value) for value in arguments]), count)

    def _same_finding(self, seed: int, arguments: Sequence[object], observed: Observed) -> tuple[Mistake, ...]:
        """The known mistake of which the same is observed."""
        known = self._known_results(seed, arguments).items()
        return next(((mistake,) for mistake, results in known if results == observed), ())

    def _same_results(
        self, seed: int, arguments: Sequence[object], results: Sequence[str], wrong: Sequence[int]
    ) -> tuple[Mistake, ...]:
        """The known mistake that gives nearly the same wrong results."""
        for mistake, known in self._known_results(seed, arguments).items():
            if not isinstance(known, Observed):
                same = sum(known[place] == results[place] for place in wrong)
                if same >= SAME * len(wrong):
                    return (mistake,)
        return ()

    def _known_results(self, seed: int, arguments: Sequence[object]) -> dict[Mistake, Sequence[str] | Observed]:
        """What each known mistake gives for these inputs: its results, or what is found wrong with it."""

        def ask() -> dict[Mistake, Sequence[str] | Observed]:
            known: dict[Mistake, Sequence[str] | Observed] = {}
            for misconception in self.misconceptions:
                mistake = self.mistake(misconception)
                try:
                    known[mistake] = self._results(misconception.answer, arguments, self.count)
                except Finding as finding:
                    known[mistake] = finding.observed
            return known

        return self._remembered(("mistakes", seed), ask)

    def _remembered(self, key: tuple[str, int], make: Callable[[], Made]) -> Made:
        """What was made before for the same seed: known mistakes need to be asked once, however many answers fail."""
        if key not in self._made:
            while len(self._made) >= MOST_REMEMBERED:
                del self._made[next(iter(self._made))]
            self._made[key] = make()
        return self._made[key]
