"""A result: what became of one submission, from the examiner's verdicts and the grades in the gradebook."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy.orm import with_polymorphic

from autograder.course.units import Unit


@dataclass(frozen=True)
class ExerciseResult:
    """`status` is "graded", "needs a person", "not tried" or "not graded" (the examiner issued no verdict)."""

    id: str
    points: float
    score: float
    status: str
    criteria: Sequence[dict] = field(default_factory=list)
    diagnosis: str | None = None


@dataclass(frozen=True)
class Result:
    """`status` is "graded", "attention" (graded, but a person should look) or "failed"; `problems` says why.

    `score` is what the answers are worth, `late_penalty` what lateness takes off it; `bubblewrap` is which one ran the
    code, and empty where it ran without a sandbox.
    """

    student: str
    assignment: str
    status: str
    max_score: float
    score: float | None = None
    seconds: float = 0.0
    seed: str = ""
    late_seconds: float = 0.0
    late_penalty: float = 0.0
    problems: Sequence[str] = ()
    exercises: Sequence[ExerciseResult] = field(default_factory=list)
    bubblewrap: str = ""

    @property
    def needs_attention(self) -> bool:
        return self.status != "graded"

    @property
    def final_score(self) -> float | None:
        """What counts: the score without the penalty for lateness."""
        return None if self.score is None else final_score(self.score, self.late_penalty)

    def to_json(self) -> dict:
        return vars(self) | {"exercises": [dict(vars(exercise)) for exercise in self.exercises]}


def final_score(score: float, late_penalty: float | None) -> float:
    return round(max(0.0, score - (late_penalty or 0.0)), 2)


def make_result(gradebook: Gradebook, unit: Unit, student: str, graded: Mapping) -> Result:
    """The result of a submission that is recorded; `graded` is `Graded.to_json()`."""
    gradebook.db.flush()
    gradebook.db.expunge_all()  # nbgrader's sums are as old as what they were read with
    hold_cells(gradebook, unit)
    submission = gradebook.find_submission(unit.full_name, student)
    problems = [*graded["repairs"], *graded["problems"]]
    result = Result(
        student=student,
        assignment=unit.full_name,
        status="attention" if problems else "graded",
        score=round(submission.score, 2),
        max_score=submission.max_score,
        seconds=graded["seconds"],
        seed=graded["seed"],
        late_seconds=submission.total_seconds_late,
        late_penalty=round(submission.late_submission_penalty or 0.0, 2),
        problems=problems,
        exercises=_exercises(notebook_of(submission, unit).grades, graded["verdicts"]),
        bubblewrap=graded.get("bubblewrap", ""),
    )
    gradebook.db.expunge_all()
    return result


def hold_cells(gradebook: Gradebook, unit: Unit) -> None:
    """Read the cells of a unit in one query and keep them in the session, or each grade would ask for its own."""
    cells = gradebook.db.query(with_polymorphic(BaseCell, "*")).join(Notebook).join(Assignment)
    gradebook.db.info["cells"] = cells.filter(Assignment.name == unit.full_name).all()


def notebook_of(submission: SubmittedAssignment, unit: Unit) -> SubmittedNotebook:
    return next(notebook for notebook in submission.notebooks if notebook.name == unit.notebook.stem)


def verdict_result(name: str, verdict: Mapping | None, points: float, score: float) -> ExerciseResult:
    """What the examiner says of an exercise, by the name of its graded cell."""
    exercise = name.removeprefix("test_")
    if verdict is None:
        return ExerciseResult(exercise, points, score, "not graded")
    status = "graded" if verdict["tried"] else "not tried"
    return ExerciseResult(exercise, points, score, status, list(verdict["criteria"]), verdict["diagnosis"])


def _exercises(grades: Sequence[Grade], verdicts: Mapping[str, Mapping | None]) -> list[ExerciseResult]:
    by_name = {grade.cell.name: grade for grade in grades if not isinstance(grade.cell, TaskCell)}
    there = [(name, verdict, by_name[name]) for name, verdict in verdicts.items() if name in by_name]
    examined = [verdict_result(name, verdict, grade.cell.max_score, grade.score) for name, verdict, grade in there]
    return examined + [_by_a_person(grade) for name, grade in sorted(by_name.items()) if name not in verdicts]


def _by_a_person(grade: Grade) -> ExerciseResult:
    status = "needs a person" if grade.needs_manual_grade else "graded"
    status = "not tried" if status == "graded" and grade.manual_score is None else status
    return ExerciseResult(grade.cell.name, grade.cell.max_score, grade.score, status)


def failed_result(unit: Unit, student: str, seed: str, problem: str) -> Result:
    """The result of a submission that could not be graded at all."""
    return Result(student, unit.full_name, "failed", unit.points, seed=seed, problems=[problem])
