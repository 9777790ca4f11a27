"""Ladder: the answer is one small function for each line of a derivation, tested at random points."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam, Misconception, derive
from course_lib.cards.cards import encode
from course_lib.cards.observed import Mistake
from course_lib.checks import Finding
from course_lib.checks.answer_forms.derivations import difference, read_ladder, rung_title, rung_value, same, show_point

POINTS_TRIED = 4
CARD_DECIMALS = 2


@dataclass(frozen=True)
class Rung:
    """A line of the derivation. One with a `truth` of its own begins a new quantity; the others continue the last."""

    name: str
    line: Callable
    truth: Callable | None = None


@dataclass(frozen=True)
class RungCriterion(Criterion):
    """What is asked of the rung called `rung`."""

    rung: str


@dataclass(frozen=True)
class Slip:
    """A known mistake at one rung: its slug, what to tell the student, and the wrong line."""

    rung: str
    slug: str
    says: str
    line: Callable


@dataclass(frozen=True, kw_only=True)
class LadderExam(Exam[RungCriterion]):
    """`draw` makes the arguments of one point; the misconceptions are the ladders with one of the slips in them."""

    rungs: Sequence[Rung]
    draw: Callable[[Draw], Sequence[object]]
    slips: Sequence[Slip] = ()
    forbidden: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.rungs[0].truth is None:
            raise ValueError(f"{self.exercise}: the first rung needs a truth")
        ladders = (Misconception(slip.slug, slip.says, self._with(slip)) for slip in self.slips)
        object.__setattr__(self, "misconceptions", tuple(ladders))

    @property
    def reference(self) -> Sequence[Callable]:
        return [rung.line for rung in self.rungs]

    def examine(self, answer: object, criterion: RungCriterion, draw: Draw) -> None:
        names = [rung.name for rung in self.rungs]
        ladder = read_ladder(self.exercise, answer, names)
        place = names.index(criterion.rung)
        points = [self._point(draw) for _ in range(POINTS_TRIED)]
        title = rung_title(place, names)
        values = [rung_value(title, ladder[place], point, self.forbidden) for point in points]
        for point, value in zip(points, values, strict=True):
            if not same(value, self._truth(place, point)):
                got, detail = self._broken(ladder, place, point, value)
                raise Finding(got, detail=detail, where=title, mistakes=self._same_line(place, points, values))

    def card(self) -> dict:
        point = self._point(Draw(derive(0, "card", self.exercise), decimals=CARD_DECIMALS))
        return {
            "kind": "ladder",
            "rungs": [rung.name for rung in self.rungs],
            "arguments": {name: encode(value) for name, value in point.items()},
            "values": [rung.truth and encode(self._truth(place, point)) for place, rung in enumerate(self.rungs)],
        }

    def _with(self, slip: Slip) -> list[Callable]:
        return [slip.line if rung.name == slip.rung else rung.line for rung in self.rungs]

    def _point(self, draw: Draw) -> dict[str, object]:
        return dict(zip(inspect.signature(self.rungs[0].line).parameters, self.draw(draw), strict=True))

    def _truth(self, place: int, point: Mapping[str, object]) -> Tensor:
        truth = next(rung.truth for rung in reversed(self.rungs[: place + 1]) if rung.truth)
        return rung_value("the truth", truth, point)

    def _broken(
        self, ladder: Sequence[object], place: int, point: Mapping[str, object], value: Tensor
    ) -> tuple[str, str]:
        """What to say of a rung that is not true: whether it broke the ladder, or stands on one that did."""
        names = [rung.name for rung in self.rungs]
        where = f"at {show_point(point)}"
        if self.rungs[place].truth:
            gap = difference(value, self._truth(place, point), "the quantity asked for")
            return "is not what is asked for", f"{where} {gap}"
        try:
            before = rung_value(rung_title(place - 1, names), ladder[place - 1], point)
        except Finding:
            return f"is not true {where}, and rung {place} gives no value", "mend that one first"
        if same(before, self._truth(place, point)):
            gap = difference(value, before, f"rung {place}")
            return f"no longer equals rung {place}", f"{where} {gap}"
        return "is not true either", f"the ladder breaks further down, at or before rung {place}; mend that first"

    def _same_line(
        self, place: int, points: Sequence[Mapping[str, object]], values: Sequence[Tensor]
    ) -> tuple[Mistake, ...]:
        """The known slip at this rung that gives the same values at all points."""
        for slip in self.slips:
            if slip.rung == self.rungs[place].name and all(map(self._gives, [slip] * len(points), points, values)):
                return self.mistakes(slip.slug)
        return ()

    def _gives(self, slip: Slip, point: Mapping[str, object], value: Tensor) -> bool:
        try:
            return same(value, rung_value("the slip", slip.line, point))
        except Finding:
            return False  # this slip raises an error at this point
