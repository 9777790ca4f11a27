"""An exam: what is asked of the answer to one exercise, criterion by criterion."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.exam_types.draw import Draw
from autograder.exam_types.verdict import CriterionResult, Verdict
from course_lib.checks import Finding, NotWritten
from course_lib.single_thread import one_thread

NOT_EXAMINED = "the answer could not be examined"
LONGEST_MESSAGE = 4_000


@dataclass(frozen=True)
class Criterion:
    """One named thing that is asked, and what it is worth."""

    name: str
    points: float


@dataclass(frozen=True)
class Misconception:
    """A known wrong answer, what to tell the student who gives it, and the hint of the notebook that helps."""

    says: str
    answer: object
    hint: int | None = None

    @property
    def sentence(self) -> str:
        return self.says if self.hint is None else f"{self.says} See hint {self.hint}."


@dataclass(frozen=True, kw_only=True)
class Exam(ABC):
    """Misconceptions are wrong answers that must fail, accepted ones different right answers that must pass.

    `covers` are the ids of the syllabus that the exercise answers. A new `version` draws new hidden inputs.
    """

    exercise: str
    criteria: Sequence[Criterion]
    covers: Sequence[str] = ()
    version: int = 1
    misconceptions: Sequence[Misconception] = ()
    accepted: Sequence[object] = ()

    @property
    def points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)

    @property
    @abstractmethod
    def reference(self) -> object:
        """The answer the course gives."""

    @abstractmethod
    def examine(self, answer: object, criterion: Criterion, draw: Draw) -> None:
        """Raise a Finding unless the answer meets the criterion."""

    @abstractmethod
    def card(self) -> dict:
        """What the visible check may know: forms, and numbers on fixed inputs, never the answer."""

    def grade(self, answer: object, seed: int = 0) -> Verdict:
        """Every criterion on its own, so that one mistake costs what it is worth."""
        with one_thread():
            results = tuple(self._result(answer, criterion, seed) for criterion in self.criteria)
        return Verdict(self.exercise, self.points, results)

    def unexamined(self, message: str, tried: bool = True) -> Verdict:
        """The verdict on an answer that cannot be looked at at all: no points, and the reason."""
        results = (
            CriterionResult(c.name, c.points, 0.0, message[:LONGEST_MESSAGE], tried=tried) for c in self.criteria
        )
        return Verdict(self.exercise, self.points, tuple(results))

    def _result(self, answer: object, criterion: Criterion, seed: int) -> CriterionResult:
        try:
            self.examine(answer, criterion, Draw(derive(seed, self.exercise, criterion.name)))
        except Finding as finding:
            score = round(criterion.points * finding.share, 2)
            tried = not isinstance(finding, NotWritten)
            message = str(finding)[:LONGEST_MESSAGE]
            return CriterionResult(criterion.name, criterion.points, score, message, finding.diagnosis, tried)
        except Exception as error:  # an answer so odd that looking at it failed: no points, and the next criterion
            message = f"{NOT_EXAMINED}: looking at it raised {type(error).__name__}"
            return CriterionResult(criterion.name, criterion.points, 0.0, message)
        return CriterionResult(criterion.name, criterion.points, criterion.points)


def derive(seed: int, *parts: str) -> int:
    """A seed of its own for each use, so that adding a criterion changes no other's inputs."""
    text = "\0".join([str(seed), *parts])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
