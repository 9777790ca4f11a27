"""A verdict: what the exam of one exercise says about one answer."""

from collections import Counter
from dataclasses import dataclass

from autograder.course.strict_json import items, number, table, text

MIME = "application/vnd.transformer-course.verdict+json"


@dataclass(frozen=True)
class CriterionResult:
    name: str
    points: float
    score: float
    message: str = ""
    diagnosis: str | None = None
    tried: bool = True

    @property
    def passed(self) -> bool:
        return self.score >= self.points

    def to_json(self) -> dict[str, object]:
        return dict(vars(self))

    @classmethod
    def from_json(cls, value: object) -> "CriterionResult":
        """Raises KeyError or TypeError if it is none."""
        data = table(value)
        return cls(
            name=text(data["name"]),
            points=number(data["points"]),
            score=number(data["score"]),
            message=text(data["message"]),
            diagnosis=None if data["diagnosis"] is None else text(data["diagnosis"]),
            tried=bool(data["tried"]),
        )


@dataclass(frozen=True)
class Verdict:
    exercise: str
    points: float
    criteria: tuple[CriterionResult, ...]

    @property
    def score(self) -> float:
        return round(sum(criterion.score for criterion in self.criteria), 2)

    @property
    def tried(self) -> bool:
        """Whether there is an answer at all, and not just the stub."""
        return any(criterion.tried for criterion in self.criteria)

    @property
    def diagnosis(self) -> str | None:
        """The diagnosis that explains most criteria, the first of several; or else the first finding."""
        failed = [criterion for criterion in self.criteria if not criterion.passed]
        named = Counter(criterion.diagnosis for criterion in failed if criterion.diagnosis)
        if named:
            return named.most_common(1)[0][0]
        return failed[0].message if failed else None

    def to_json(self) -> dict[str, object]:
        """The score and what else follows from the criteria is for readers of the JSON: `from_json` computes it."""
        return vars(self) | {
            "criteria": [criterion.to_json() for criterion in self.criteria],
            "score": self.score,
            "tried": self.tried,
            "diagnosis": self.diagnosis,
        }

    @classmethod
    def from_json(cls, value: object) -> "Verdict":
        """Raises KeyError or TypeError if it is none."""
        data = table(value)
        criteria = tuple(CriterionResult.from_json(criterion) for criterion in items(data["criteria"]))
        return cls(text(data["exercise"]), number(data["points"]), criteria)

    def __str__(self) -> str:
        from course_lib.checks.result_text import Row, report_text  # loads torch; who reads a grade does without

        rows = [
            Row(c.name, c.passed, c.message, c.diagnosis, points=f"{c.score:g} of {c.points:g}") for c in self.criteria
        ]
        return report_text(f"{self.exercise}: {self.score:g} of {self.points:g} points", rows)
