"""Ladder: the answer is one small function for each line of a derivation, tested at random points."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

from torch import Tensor

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam, Misconception, derive
from course_lib.cards.cards import DECIMALS, encode
from course_lib.cards.observed import Mistake
from course_lib.checks import Finding
from course_lib.checks.answer_forms.derivations import Point, examine_rung, read_ladder, rung_title, rung_value

CARD_DECIMALS = 2


@dataclass(frozen=True)
class Rung:
    """A line of the derivation, and the points at which it is asked.

    A point gives each symbol a number of its own: what follows from another symbol is not used, so a line is right only
    in the form in which it is asked.
    """

    name: str
    line: Callable
    draw: Callable[[Draw], Sequence[Sequence[object]]]


@dataclass(frozen=True)
class RungCriterion(Criterion):
    """What is asked of the rung called `rung`."""

    rung: str


@dataclass(frozen=True)
class Slip:
    """A known mistake at one rung: its slug, what to tell the student, the wrong line, and the hint that helps."""

    rung: str
    slug: str
    says: str
    line: Callable
    hint: str | None = None


@dataclass(frozen=True, kw_only=True)
class LadderExam(Exam[RungCriterion]):
    """The misconceptions are the ladders with one of the slips in them."""

    rungs: Sequence[Rung]
    slips: Sequence[Slip] = ()

    def __post_init__(self) -> None:
        ladders = (Misconception(slip.slug, slip.says, self._with(slip), slip.hint) for slip in self.slips)
        object.__setattr__(self, "misconceptions", tuple(ladders))

    @property
    def reference(self) -> Sequence[Callable]:
        return [rung.line for rung in self.rungs]

    def examine(self, answer: object, criterion: RungCriterion, draw: Draw) -> None:
        names = [rung.name for rung in self.rungs]
        ladder = read_ladder(self.exercise, answer, names)
        place = names.index(criterion.rung)
        points = self._points(self.rungs[place], draw)
        examine_rung(rung_title(place, names), ladder[place], points, lambda: self._known(self.rungs[place], points))

    def card(self) -> dict:
        return {"kind": "ladder", "rungs": [self._card_rung(rung) for rung in self.rungs]}

    def _with(self, slip: Slip) -> list[Callable]:
        return [slip.line if rung.name == slip.rung else rung.line for rung in self.rungs]

    def _points(self, rung: Rung, draw: Draw) -> list[Point]:
        symbols = list(inspect.signature(rung.line).parameters)
        drawn = [dict(zip(symbols, values, strict=True)) for values in rung.draw(draw)]
        return [Point(symbols, rung_value(rung.name, rung.line, symbols)) for symbols in drawn]

    def _known(self, rung: Rung, points: Sequence[Point]) -> Iterator[tuple[Mistake, list[Tensor]]]:
        """The known slips at this rung, with what they give at each point."""
        for slip in self.slips:
            if slip.rung == rung.name:
                try:
                    values = [rung_value("the slip", slip.line, point.symbols) for point in points]
                except Finding:
                    continue  # this slip raises an error at one of these points
                yield self.mistakes(slip.slug)[0], values

    def _card_rung(self, rung: Rung) -> dict:
        points = self._points(rung, Draw(derive(0, "card", self.exercise, rung.name), decimals=CARD_DECIMALS))
        return {
            "name": rung.name,
            "points": [{name: encode(value) for name, value in point.symbols.items()} for point in points],
            "expected": [_number(point.expected) for point in points],
            "known": [
                {"mistake": asdict(mistake), "values": [_number(value) for value in values]}
                for mistake, values in self._known(rung, points)
            ],
        }


def _number(value: Tensor) -> float:
    return round(value.item(), DECIMALS) + 0.0
