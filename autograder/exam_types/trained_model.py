"""Trained: the answer is a function that a model was trained for, judged by the share it gets right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam, derive
from course_lib.cards import encode
from course_lib.checks import Finding, NotWritten
from course_lib.checks.question import copy
from course_lib.checks.student_call import call

ON_THE_CARD = 3
MOST_REMEMBERED = 200
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
    _made: dict[tuple[str, int], object] = field(default_factory=dict, init=False, repr=False, compare=False)

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
            raise Finding(str(finding), diagnosis=self._same_finding(draw.seed, arguments, str(finding))) from None
        wrong = [place for place, result in enumerate(results) if result != wanted[place]]
        right = len(wanted) - len(wrong)
        if right >= criterion.enough * len(wanted):
            return
        first = wrong[0]
        message = (
            f"{right} of {len(wanted)} are right, expected at least {criterion.enough:.0%}; for example, "
            f"{words[first]!r} becomes {results[first]!r}, expected {wanted[first]!r}"
        )
        raise Finding(message, diagnosis=self._diagnosis(draw.seed, arguments, results, wrong))

    def card(self) -> dict:
        _, arguments, _ = self.draw(Draw(derive(0, "card", self.exercise)), ON_THE_CARD)
        return {"kind": "trained", "arguments": [encode(value) for value in arguments]}

    def _results(self, answer: object, arguments: Sequence[object], count: int) -> Sequence[str]:
        return self.read(call(self.exercise, answer, [copy(value) for value in arguments]), count)

    def _same_finding(self, seed: int, arguments: Sequence[object], message: str) -> str | None:
        """The sentence of the known mistake with this message."""
        known = self._known_results(seed, arguments).items()
        return next((sentence for sentence, found in known if found == message), None)

    def _diagnosis(
        self, seed: int, arguments: Sequence[object], results: Sequence[str], wrong: Sequence[int]
    ) -> str | None:
        """The sentence of the known mistake that gives nearly the same wrong results."""
        for sentence, theirs in self._known_results(seed, arguments).items():
            same = not isinstance(theirs, str) and sum(theirs[place] == results[place] for place in wrong)
            if same >= SAME * len(wrong):
                return sentence
        return None

    def _known_results(self, seed: int, arguments: Sequence[object]) -> dict[str, Sequence[str] | str]:
        """What each known mistake gives for these inputs: its results, or the message of what is found."""

        def ask() -> dict[str, Sequence[str] | str]:
            found = {}
            for known in self.misconceptions:
                try:
                    found[known.sentence] = self._results(known.answer, arguments, self.count)
                except Finding as finding:
                    found[known.sentence] = str(finding)
            return found

        return self._remembered(("mistakes", seed), ask)

    def _remembered(self, key: tuple[str, int], make: Callable[[], object]) -> object:
        """What was made before for the same seed: known mistakes need to be asked once, however many answers fail."""
        if key not in self._made:
            while len(self._made) >= MOST_REMEMBERED:
                del self._made[next(iter(self._made))]
            self._made[key] = make()
        return self._made[key]
