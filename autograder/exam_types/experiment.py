"""Experiment: the answer is numbers measured with the student's own code, compared with a re-run."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam
from course_lib.cards.observed import Mistake
from course_lib.checks import Finding, NotWritten
from course_lib.checks.answer_forms.numbers import read_number, read_numbers

PERCENT = 100
Numbers = Mapping[str, float]


@dataclass(frozen=True)
class NumberCriterion(Criterion):
    """Numbers that must lie within `relative` · |expected| + `absolute` of the expected; no names means all.

    A `whole` criterion pays nothing for a part of its numbers.
    """

    names: Sequence[str] = ()
    relative: float = 0.0
    absolute: float = 0.0
    hint: str = ""
    whole: bool = False

    def reach(self, expected: float) -> float:
        """How far from the expected number an honest measurement may be."""
        return self.relative * abs(expected) + self.absolute


@dataclass(frozen=True, kw_only=True)
class ExperimentExam(Exam[NumberCriterion]):
    """`truth` gives the number of each name: fixed ones, or a function that measures them again.

    `between` are the limits of numbers that are possible at all, such as those of an accuracy, for the visible check.
    `theory` are numbers that are predicted and that nobody measures to the last digit, all of them at once.
    """

    numbers: Sequence[str]
    truth: Numbers | Callable[[Draw], Numbers]
    between: tuple[float, float] | None = None
    theory: Numbers | None = None

    @property
    def reference(self) -> Numbers:
        return self._expected(Draw(0))

    def examine(self, answer: object, criterion: NumberCriterion, draw: Draw) -> None:
        names = criterion.names or self.numbers
        entries = read_numbers(self.exercise, answer, self.numbers)
        expected = self._expected(draw)
        received: dict[str, float] = {}
        unreadable: dict[str, Finding] = {}
        for name in names:
            try:
                received[name] = read_number(name if len(self.numbers) > 1 else self.exercise, entries[name])
            except Finding as finding:
                unreadable[name] = finding
        if len(unreadable) == len(names) and all(isinstance(f, NotWritten) for f in unreadable.values()):
            raise next(iter(unreadable.values()))
        if self._is_theory(entries):
            raise Finding("all numbers are exactly those of the theory", "the ones you measured, without rounding")
        wrong = [n for n in received if not abs(received[n] - expected[n]) <= criterion.reach(expected[n])]
        if wrong or unreadable:
            lines = [str(finding) for finding in unreadable.values()]
            lines += [_off(name, received[name], expected[name], criterion.reach(expected[name])) for name in wrong]
            lines += [criterion.hint] if wrong and criterion.hint else []
            share = 0.0 if criterion.whole else 1 - (len(wrong) + len(unreadable)) / len(names)
            mistakes = self._same_numbers(entries, wrong, expected)
            raise Finding("\n".join(lines), share=share, mistakes=mistakes)

    def card(self) -> dict:
        return {
            "kind": "experiment",
            "numbers": list(self.numbers),
            "between": self.between and list(self.between),
        }

    def _is_theory(self, entries: Mapping[str, object]) -> bool:
        try:
            return self.theory is not None and self.theory == {n: read_number(n, entries[n]) for n in self.numbers}
        except Finding:
            return False

    def _expected(self, draw: Draw) -> Numbers:
        return self.truth(draw) if callable(self.truth) else self.truth

    def _same_numbers(
        self, entries: Mapping[str, object], wrong: Sequence[str], expected: Numbers
    ) -> tuple[Mistake, ...]:
        """The known mistake whose own wrong numbers are all handed in, whichever criteria ask for them."""
        received: dict[str, float] = {}
        for name in self.numbers:
            with suppress(Finding):
                received[name] = read_number(name, entries[name])
        for misconception in self.misconceptions:
            slips = {
                name: number
                for name, number in misconception.answer.items()
                if abs(number - expected[name]) > self._reach(name, expected[name])
            }
            if slips.keys() & set(wrong) and all(
                name in received and abs(received[name] - number) <= self._reach_around(number, name, expected[name])
                for name, number in slips.items()
            ):
                return (self.mistake(misconception),)
        return ()

    def _reach_around(self, number: float, name: str, expected: float) -> float:
        """The same for a mistaken number, such as a percentage, which is off by more where it is larger."""
        factor = abs(number / expected) if expected else 0.0
        larger = factor * self._reach(name, expected) if factor >= PERCENT / 2 else 0.0
        return max(self._reach(name, number), larger, 1e-6 * abs(number))

    def _reach(self, name: str, number: float) -> float:
        """How far the criteria that ask for a number let it be off."""
        return max(c.reach(number) for c in self.criteria if name in (c.names or self.numbers))


def _off(name: str, received: float, expected: float, reach: float) -> str:
    if reach:
        return f"{name} is {received:.4g}, expected between {expected - reach:.4g} and {expected + reach:.4g}"
    return f"{name} is {received:.6g}, expected {expected:.6g}"
