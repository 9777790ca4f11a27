"""A verdict: what the exam of one exercise says about one answer."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from course_lib.checks.finding import Kind, Mistake, Observed
from course_lib.checks.result_text import Row, diagnosis_text, report_text

MIME = "application/vnd.transformer-course.verdict+json"
LARGEST = 1e9  # of a number in a file; no exercise is worth that much


@dataclass(frozen=True)
class CriterionResult:
    """`observed` is what was found, and `mistakes` the known ones that explain it; nothing if the criterion is met."""

    name: str
    points: float
    score: float
    observed: Observed | None = None
    mistakes: tuple[Mistake, ...] = ()

    @property
    def passed(self) -> bool:
        return self.score >= self.points

    @property
    def tried(self) -> bool:
        return self.observed is None or self.observed.kind is not Kind.NOT_WRITTEN

    @property
    def message(self) -> str:
        return str(self.observed or "")

    @property
    def causes(self) -> tuple[Mistake, ...]:
        """The mistakes that explain what was observed, which does not say so itself."""
        return () if self.observed and self.observed.kind is Kind.MISJUDGED else self.mistakes

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "CriterionResult":
        """Raises KeyError, TypeError or ValueError if the data is none; in version 1 it held sentences alone."""
        scores = _text(data["name"]), _number(data["points"]), _number(data["score"])
        if "message" in data:
            said, diagnosis = _text(data["message"]), data["diagnosis"] and _text(data["diagnosis"])
            kind = Kind.WRONG if data["tried"] else Kind.NOT_WRITTEN
            return cls(*scores, Observed(said, kind=kind) if said else None, _of_version_1(diagnosis))
        observed, mistakes = data["observed"], map(_mistake, data["mistakes"])
        return cls(*scores, observed and _observed(observed), tuple(mistakes))


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
    def mistakes(self) -> tuple[Mistake, ...]:
        """The known mistakes that explain most criteria, the first of several."""
        failed = (criterion for criterion in self.criteria if not criterion.passed)
        named = Counter(criterion.causes for criterion in failed if criterion.causes)
        return named.most_common(1)[0][0] if named else ()

    @property
    def diagnosis(self) -> str | None:
        """What the known mistakes say, or else the first finding."""
        if self.mistakes:
            return diagnosis_text(self.mistakes)
        return next((criterion.message for criterion in self.criteria if not criterion.passed), None)

    def to_json(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Verdict":
        """Raises KeyError, TypeError or ValueError if the data is none."""
        criteria = tuple(map(CriterionResult.from_json, data["criteria"]))
        return cls(_text(data["exercise"]), _number(data["points"]), criteria)

    def __str__(self) -> str:
        rows = [Row(c.name, c.observed, c.causes, f"{c.score:g} of {c.points:g}") for c in self.criteria]
        return report_text(f"{self.exercise}: {self.score:g} of {self.points:g} points", rows)


def _of_version_1(diagnosis: str | None) -> tuple[Mistake, ...]:
    return (Mistake(diagnosis, diagnosis),) if diagnosis else ()


def _observed(data: Mapping[str, Any]) -> Observed:
    got, expected, detail, where = (_text(data[name]) for name in ("got", "expected", "detail", "where"))
    return Observed(got, expected, detail, where, Kind(data["kind"]))


def _mistake(data: Mapping[str, Any]) -> Mistake:
    return Mistake(_text(data["id"]), _text(data["says"]), data["hint"] and _text(data["hint"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} in place of a text")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < LARGEST:
        raise TypeError(f"{value!r} in place of a number")
    return float(value)
