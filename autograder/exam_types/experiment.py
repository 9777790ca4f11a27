"""Experiment: the answer is numbers measured with the student's own code, compared with a re-run."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations

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

    A `whole` criterion pays nothing for a part of its numbers. `reading` says what a wrong number means.
    """

    names: Sequence[str] = ()
    relative: float = 0.0
    absolute: float = 0.0
    hint: str = ""
    whole: bool = False
    reading: Callable[[str, float], str] | None = None

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
            raise Finding("\n".join(lines), share=share, mistakes=self._causes(criterion, entries, wrong, expected))

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

    def _causes(
        self, criterion: NumberCriterion, entries: Mapping[str, object], wrong: Sequence[str], expected: Numbers
    ) -> tuple[Mistake, ...]:
        """The known mistake whose own wrong numbers are all received, or else a relation between the numbers."""
        received: dict[str, float] = {}
        for name in self.numbers:
            with suppress(Finding):
                received[name] = read_number(name, entries[name])
        fitting = {}
        for misconception in self.misconceptions:
            slips = {n: number for n, number in misconception.answer.items() if self._is_off(n, number, expected[n])}
            if slips.keys() & set(wrong) and all(
                name in received and self._fits(name, received[name], number, expected[name])
                for name, number in slips.items()
            ):
                fitting[self.mistake(misconception)] = len(slips)
        if fitting:
            return (max(fitting, key=lambda mistake: fitting[mistake]),)
        if says := self._related(received, wrong, expected):
            return (Mistake(f"relation/{says}", says),)
        if criterion.reading and wrong:
            return (Mistake("relation/what a number means", criterion.reading(wrong[0], received[wrong[0]])),)
        return ()

    def _fits(self, name: str, number: float, mistaken: float, expected: float) -> bool:
        """Whether it is the mistaken number; a percentage may be off by more, as it is larger."""
        factor = abs(mistaken / expected) if expected else 0.0
        larger = factor * self._reach(name, expected) if factor >= PERCENT / 2 else 0.0
        return abs(number - mistaken) <= max(self._reach(name, mistaken), larger, 1e-6 * abs(mistaken))

    def _is_off(self, name: str, number: float, expected: float) -> bool:
        """Whether it is not the expected number, as exactly as the criteria with that name ask."""
        return not abs(number - expected) <= max(self._reach(name, expected), 1e-6 * abs(expected))

    def _reach(self, name: str, number: float) -> float:
        return min(c.reach(number) for c in self.criteria if name in (c.names or self.numbers))

    def _related(self, received: Numbers, wrong: Sequence[str], expected: Numbers) -> str | None:
        """Two numbers in each other's place; or several, all wrong by one power of ten or of two."""
        for one, other in combinations(wrong, 2):
            if not self._is_off(one, received[one], expected[other]) and not self._is_off(
                other, received[other], expected[one]
            ):
                return f"{one} and {other} have changed places."
        for factor in (100.0, 0.01, 10.0, 0.1, 2.0, 0.5):
            if len(wrong) > 1 and not any(self._is_off(n, received[n] / factor, expected[n]) for n in wrong):
                return f"Your {' and '.join(wrong)} are {factor:g} times what is expected."
        return None


def _off(name: str, received: float, expected: float, reach: float) -> str:
    if reach:
        return f"{name} is {received:.4g}, expected between {expected - reach:.4g} and {expected + reach:.4g}"
    return f"{name} is {received:.6g}, expected {expected:.6g}"
