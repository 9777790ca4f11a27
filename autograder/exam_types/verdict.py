"""A verdict: what the exam of one exercise says about one answer."""

from collections import Counter
from dataclasses import dataclass

from course_lib.checks.result_text import Row, report_text

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

    def to_json(self) -> dict:
        criteria = [dict(vars(criterion)) for criterion in self.criteria]
        return vars(self) | {
            "criteria": criteria,
            "score": self.score,
            "tried": self.tried,
            "diagnosis": self.diagnosis,
        }

    def __str__(self) -> str:
        rows = [
            Row(c.name, c.passed, c.message, c.diagnosis, points=f"{c.score:g} of {c.points:g}") for c in self.criteria
        ]
        return report_text(f"{self.exercise}: {self.score:g} of {self.points:g} points", rows)
