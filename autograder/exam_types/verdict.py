"""A verdict: what the exam of one exercise says about one answer."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from autograder.course.strict_json import items, number, table, text, texts
from course_lib.cards.observed import Kind, Mistake, Observed

MIME = "application/vnd.transformer-course.verdict+json"


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
    def from_json(cls, value: object) -> "CriterionResult":
        """Raises KeyError, TypeError or ValueError if it is none; in version 1 it held sentences alone."""
        data = table(value)
        scores = text(data["name"]), number(data["points"]), number(data["score"])
        if "message" in data:
            said, kind = text(data["message"]), Kind.WRONG if data["tried"] else Kind.NOT_WRITTEN
            known = (text(data["diagnosis"]),) if data["diagnosis"] else ()
            observed = Observed(said, kind=kind) if said else None
            return cls(*scores, observed, tuple(Mistake(sentence, sentence) for sentence in known))
        observed = None if data["observed"] is None else _observed(table(data["observed"]))
        return cls(*scores, observed, tuple(_mistake(table(mistake)) for mistake in items(data["mistakes"])))


@dataclass(frozen=True)
class Verdict:
    """`stand_ins` are earlier answers that lost points, in whose place ours was while this one was examined."""

    exercise: str
    points: float
    criteria: tuple[CriterionResult, ...]
    stand_ins: tuple[str, ...] = ()

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
            from course_lib.checks.result_text import diagnosis_text  # loads torch; who reads a grade does without

            return diagnosis_text(self.mistakes)
        return next((criterion.message for criterion in self.criteria if not criterion.passed), None)

    @property
    def followed(self) -> str:
        """A sentence on follow-through marking; empty where no stand-in was used."""
        names = [f"`{name}`" for name in self.stand_ins]
        if not names:
            return ""
        listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        return f"Graded with our {listed}, because yours lost points."

    def to_json(self) -> dict[str, object]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> "Verdict":
        """Raises KeyError or TypeError if it is none."""
        data = table(value)
        criteria = tuple(CriterionResult.from_json(criterion) for criterion in items(data["criteria"]))
        return cls(text(data["exercise"]), number(data["points"]), criteria, tuple(texts(data.get("stand_ins", []))))

    def __str__(self) -> str:
        from course_lib.checks.result_text import Row, report_text  # loads torch; who reads a grade does without

        title = f"{self.exercise}: {self.score:g} of {self.points:g} points"
        rows = [Row(c.name, c.observed, c.causes, f"{c.score:g} of {c.points:g}") for c in self.criteria]
        return report_text(" ".join(filter(None, (title, self.followed))), rows)


def _observed(data: Mapping[str, object]) -> Observed:
    texts = {name: text(data.get(name, "")) for name in ("got", "expected", "detail", "where", "line", "error")}
    return Observed(**texts, kind=Kind(text(data["kind"])))


def _mistake(data: Mapping[str, object]) -> Mistake:
    return Mistake(text(data["id"]), text(data["says"]), None if data["hint"] is None else text(data["hint"]))
