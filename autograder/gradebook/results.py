"""A result: what became of one submission, from the examiner's verdicts and the grades in the gradebook."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from autograder.course.cells import exercise_of
from autograder.course.strict_json import items, number, table, text, texts
from autograder.course.units import Unit
from autograder.exam_types.verdict import CriterionResult, Verdict


class Status(StrEnum):
    """What became of a submission."""

    GRADED = "graded"
    ATTENTION = "attention"  # graded, but a person should look
    FAILED = "failed"


class ExerciseStatus(StrEnum):
    """What became of an exercise of a submission that was graded."""

    GRADED = "graded"
    NEEDS_A_PERSON = "needs a person"
    NOT_TRIED = "not tried"
    NOT_GRADED = "not graded"  # the examiner issued no verdict


@dataclass(frozen=True)
class ExerciseResult:
    id: str
    points: float
    score: float
    status: ExerciseStatus
    criteria: tuple[CriterionResult, ...] = ()
    diagnosis: str | None = None
    followed: str = ""

    def to_json(self) -> dict[str, object]:
        return vars(self) | {"criteria": [asdict(criterion) for criterion in self.criteria]}

    @classmethod
    def from_json(cls, value: object) -> "ExerciseResult":
        """Raises KeyError, TypeError or ValueError if it is none."""
        data = table(value)
        return cls(
            id=text(data["id"]),
            points=number(data["points"]),
            score=number(data["score"]),
            status=ExerciseStatus(text(data["status"])),
            criteria=tuple(CriterionResult.from_json(criterion) for criterion in items(data["criteria"])),
            diagnosis=None if data["diagnosis"] is None else text(data["diagnosis"]),
            followed=text(data.get("followed", "")),
        )


@dataclass(frozen=True)
class Result:
    """What became of a submission, exercise by exercise; `problems` says why a person should look, or why it failed.

    `score` is what the answers are worth, `late_penalty` what lateness takes off it; `bubblewrap` is which one ran the
    code, and empty where it ran without a sandbox.
    """

    student: str
    assignment: str
    status: Status
    max_score: float
    score: float | None = None
    seconds: float = 0.0
    seed: str = ""
    late_seconds: float = 0.0
    late_penalty: float = 0.0
    problems: Sequence[str] = ()
    exercises: Sequence[ExerciseResult] = ()
    bubblewrap: str = ""

    @property
    def needs_attention(self) -> bool:
        return self.status != Status.GRADED

    @property
    def final_score(self) -> float | None:
        """What counts: the score without the penalty for lateness."""
        return None if self.score is None else final_score(self.score, self.late_penalty)

    def to_json(self) -> dict[str, object]:
        return vars(self) | {"exercises": [exercise.to_json() for exercise in self.exercises]}

    @classmethod
    def from_json(cls, value: object) -> "Result":
        """Raises KeyError, TypeError or ValueError if it is none; what has a default was not always recorded."""
        data = table(value)
        return cls(
            student=text(data["student"]),
            assignment=text(data["assignment"]),
            status=Status(text(data["status"])),
            max_score=number(data["max_score"]),
            score=None if data["score"] is None else number(data["score"]),
            seconds=number(data.get("seconds", 0.0)),
            seed=text(data.get("seed", "")),
            late_seconds=number(data.get("late_seconds", 0.0)),
            late_penalty=number(data.get("late_penalty", 0.0)),
            problems=texts(data.get("problems", [])),
            exercises=[ExerciseResult.from_json(exercise) for exercise in items(data["exercises"])],
            bubblewrap=text(data.get("bubblewrap", "")),
        )


def final_score(score: float, late_penalty: float) -> float:
    """What counts: the score less the penalty for lateness, and never below zero."""
    return round(max(0.0, score - late_penalty), 2)


def verdict_result(cell: str, verdict: Verdict | None, points: float, score: float) -> ExerciseResult:
    """What the examiner says of an exercise, by the name of its graded cell."""
    exercise = exercise_of(cell)
    if verdict is None:
        return ExerciseResult(exercise, points, score, ExerciseStatus.NOT_GRADED)
    status = ExerciseStatus.GRADED if verdict.tried else ExerciseStatus.NOT_TRIED
    return ExerciseResult(exercise, points, score, status, verdict.criteria, verdict.diagnosis, verdict.followed)


def failed_result(unit: Unit, student: str, seed: str, problem: str) -> Result:
    """The result of a submission that could not be graded at all."""
    return Result(student, unit.full_name, Status.FAILED, unit.points, seed=seed, problems=[problem])
