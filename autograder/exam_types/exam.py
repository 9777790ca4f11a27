"""An exam: what is asked of the answer to one exercise, criterion by criterion."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from autograder.exam_types.draw import Draw
from autograder.exam_types.verdict import CriterionResult, Verdict
from course_lib.cards.observed import Kind, Mistake, Observed
from course_lib.checks import Finding
from course_lib.checks.diagnosis import diagnoses
from course_lib.checks.evidence import Mistakes
from course_lib.single_thread import one_thread

ALONE = Observed("holds, but earns points only together with a right result", kind=Kind.ALONE)
LONGEST_MESSAGE = 4_000  # characters of one field of what was observed: a student's code can put anything there


@dataclass(frozen=True)
class Criterion:
    """One named thing that is asked, and what it is worth; a side criterion pays only where a main one earns points."""

    name: str
    points: float
    side: bool = field(default=False, kw_only=True)


Answer = Any  # a function, a class, a dictionary of shapes: what this kind of exercise asks for
AnyCriterion = TypeVar("AnyCriterion", bound=Criterion)


@dataclass(frozen=True)
class Misconception:
    """A known wrong answer: its slug, what to tell the student who gives it, and the title of the hint that helps.

    Several wrong answers may share a slug, and then its sentence and its hint.
    """

    slug: str
    says: str
    answer: Answer
    hint: str | None = None


@dataclass(frozen=True, kw_only=True)
class Exam(ABC, Generic[AnyCriterion]):
    """Misconceptions are wrong answers that must fail, accepted ones different right answers that must pass.

    Shortcuts are answers without the work, such as a constant or a number printed in the notebook: each must earn
    less than half of the points.

    `covers` are the ids of the syllabus that the exercise answers. A new `version` draws new hidden inputs.
    """

    exercise: str
    criteria: Sequence[AnyCriterion]
    covers: Sequence[str] = ()
    version: int = 1
    misconceptions: Sequence[Misconception] = ()
    accepted: Sequence[Answer] = ()
    shortcuts: Sequence[Answer] = ()

    @property
    def points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)

    @property
    @abstractmethod
    def reference(self) -> Answer:
        """The answer the course gives."""

    @abstractmethod
    def examine(self, answer: object, criterion: AnyCriterion, draw: Draw) -> None:
        """Raise a Finding unless the answer meets the criterion."""

    @abstractmethod
    def card(self) -> dict:
        """What the visible check may know: forms, and numbers on fixed inputs, never the answer."""

    def grade(self, answer: object, seed: int = 0) -> Verdict:
        """Every criterion on its own, so that one mistake costs what it is worth."""
        with one_thread():
            found = [self._found(answer, criterion, seed) for criterion in self.criteria]
            passed = [c for c, finding in zip(self.criteria, found, strict=True) if finding is None]
            findings = [finding for finding in found if finding]
            causes = iter(diagnoses(findings, partial(self._would_pass, passed, seed)))
        results = [
            _result(criterion, finding, next(causes) if finding else ())
            for criterion, finding in zip(self.criteria, found, strict=True)
        ]
        return Verdict(self.exercise, self.points, tuple(_paid(self.criteria, results)))

    def unexamined(self, reason: Observed) -> Verdict:
        """The verdict on an answer that there is no way to look at: no points, and the reason."""
        results = (CriterionResult(c.name, c.points, 0.0, _bounded(reason)) for c in self.criteria)
        return Verdict(self.exercise, self.points, tuple(results))

    def mistake(self, misconception: Misconception) -> Mistake:
        return Mistake(f"{self.exercise}/{misconception.slug}", misconception.says, misconception.hint)

    def mistakes(self, *slugs: str) -> tuple[Mistake, ...]:
        """The known mistakes of these slugs, for an exam that sees by itself which one was made."""
        known = {misconception.slug: self.mistake(misconception) for misconception in self.misconceptions}
        return tuple(known[slug] for slug in slugs)

    def known(self) -> Iterator[tuple[Mistakes, Answer]]:
        """Known mistakes, several where they can be made at once, each with an answer that makes them."""
        for misconception in self.misconceptions:
            yield (self.mistake(misconception),), misconception.answer

    def _would_pass(self, criteria: Sequence[AnyCriterion], seed: int, mistakes: Mistakes) -> bool:
        """Whether an answer with these mistakes can meet all these criteria."""
        answers = (answer for known, answer in self.known() if known == mistakes)
        return any(all(self._found(answer, c, seed) is None for c in criteria) for answer in answers)

    def _found(self, answer: object, criterion: AnyCriterion, seed: int) -> Finding | None:
        try:
            self.examine(answer, criterion, Draw(derive(seed, self.exercise, criterion.name)))
        except Finding as finding:
            return finding
        except Exception as error:  # an answer so odd that looking at it failed: no points, and the next criterion
            detail = f"looking at it raised {type(error).__name__}"
            return Finding("the answer could not be examined", detail=detail, kind=Kind.NOT_EXAMINED)
        return None


def _result(criterion: Criterion, finding: Finding | None, causes: Mistakes) -> CriterionResult:
    if finding is None:
        return CriterionResult(criterion.name, criterion.points, criterion.points)
    score = round(criterion.points * finding.share, 2)
    return CriterionResult(criterion.name, criterion.points, score, _bounded(finding.observed), causes)


def _paid(criteria: Sequence[Criterion], results: Sequence[CriterionResult]) -> Iterator[CriterionResult]:
    """The results, where a side criterion pays nothing unless a main one does."""
    main = [result.score for criterion, result in zip(criteria, results, strict=True) if not criterion.side]
    earned = any(main) or not main
    for criterion, result in zip(criteria, results, strict=True):
        yield replace(result, score=0.0, observed=result.observed or ALONE) if criterion.side and not earned else result


def _bounded(observed: Observed) -> Observed:
    texts = ("got", "expected", "detail", "where", "line", "error")
    return replace(observed, **{name: getattr(observed, name)[:LONGEST_MESSAGE] for name in texts})


def derive(seed: int, *parts: str) -> int:
    """A seed of its own for each use, so that adding a criterion changes no other's inputs."""
    text = "\0".join([str(seed), *parts])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
