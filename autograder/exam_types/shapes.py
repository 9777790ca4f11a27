"""Shapes: the answer is a shape sheet, its names bound to distinct primes and compared with real tensors."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import torch
from torch import Tensor

from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam
from course_lib.cards.observed import Mistake
from course_lib.cards.shape_algebra import Shape, parse_shape, same_shape, shape_difference, shape_sizes, show_shape
from course_lib.cards.sheet_rules import judge
from course_lib.checks import Finding
from course_lib.checks.answer_forms.values import read_sheet
from course_lib.checks.relations.pair import listed

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23)


@dataclass(frozen=True)
class ShapesCriterion(Criterion):
    tensors: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class ShapesExam(Exam[ShapesCriterion]):
    """`tensors` builds the real thing from sizes; `given` are the shapes printed in the notebook."""

    dimensions: Sequence[str]
    given: Mapping[str, str]
    sheet: Mapping[str, str]
    relations: Sequence[str]
    tensors: Callable[[Mapping[str, int]], Mapping[str, Tensor]]

    @property
    def reference(self) -> Mapping[str, str]:
        return self.sheet

    def examine(self, answer: object, criterion: ShapesCriterion, draw: Draw) -> None:
        sizes = dict(zip(self.dimensions, PRIMES, strict=False))
        with torch.no_grad():
            real = self.tensors(sizes)
        sheet: dict[str, Shape] = {}
        unreadable: dict[str, Finding] = {}
        for name in criterion.tensors:
            try:
                sheet |= read_sheet(self.exercise, answer, [name], self.dimensions)
            except Finding as finding:
                unreadable[name] = finding
        if len(unreadable) == len(criterion.tensors):
            raise next(iter(unreadable.values()))
        wrong = [name for name in sheet if shape_sizes(sheet[name], sizes) != tuple(real[name].shape)]
        if wrong or unreadable:
            share = 1 - (len(wrong) + len(unreadable)) / len(criterion.tensors)
            entries = [f"{name} is not {show_shape(sheet[name])}" for name in wrong] + [*map(str, unreadable.values())]
            mistakes = (
                self._same_entries(answer, wrong)
                or self._broken_rule(answer, wrong)
                or self._how_they_differ(sheet, wrong)
            )
            raise Finding("; ".join(dict.fromkeys(entries)), share=share, mistakes=mistakes)

    def _broken_rule(self, answer: object, wrong: Sequence[str]) -> tuple[Mistake, ...]:
        """The first rule that a wrong entry breaks while what it follows from is right."""
        given = {name: parse_shape(entry) for name, entry in self.given.items()}
        sheet = given | self._readable(answer)
        clashes = (judgement.clash for judgement in judge(self.exercise, sheet) if judgement.clash)
        for clash in clashes:
            if clash.tensor in wrong:
                return (Mistake(f"relation/{clash.tensor} breaks a rule", f"{clash.whole}."),)
        return ()

    def _how_they_differ(self, sheet: Mapping[str, Shape], wrong: Sequence[str]) -> tuple[Mistake, ...]:
        """What holds of most of the wrong entries, beside those of the solution."""
        found = {name: shape_difference(sheet[name], parse_shape(self.sheet[name])) for name in wrong}
        said = Counter(says for says in found.values() if says).most_common(1)
        if not said:
            return ()
        names = [name for name, says in found.items() if says == said[0][0]]
        return (Mistake(f"relation/shape: {said[0][0]}", f"{listed(names)}: {said[0][0]}."),)

    def _same_entries(self, answer: object, wrong: Sequence[str]) -> tuple[Mistake, ...]:
        """The known mistake whose own wrong entries are all on the sheet."""
        sheet = self._readable(answer)
        for misconception in self.misconceptions:
            slips = {name: entry for name, entry in misconception.answer.items() if entry != self.sheet[name]}
            if any(name in wrong for name in slips) and all(
                name in sheet and same_shape(sheet[name], parse_shape(entry)) for name, entry in slips.items()
            ):
                return (self.mistake(misconception),)
        return ()

    def _readable(self, answer: object) -> dict[str, Shape]:
        """Every entry that can be read: one that cannot is no reason to leave the others out."""
        sheet: dict[str, Shape] = {}
        for name in self.sheet:
            with suppress(Finding):
                sheet |= read_sheet(self.exercise, answer, [name], self.dimensions)
        return sheet

    def card(self) -> dict:
        return {
            "kind": "shapes",
            "dimensions": list(self.dimensions),
            "given": {name: list(parse_shape(entry)) for name, entry in self.given.items()},
            "tensors": [name for criterion in self.criteria for name in criterion.tensors],
            "relations": list(self.relations),
        }
