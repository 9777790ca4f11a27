"""A result: what became of one submission, put together from the gradebook and the verdicts in the graded notebook."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Grade, Gradebook

from autograder.class_directory import ClassDirectory
from autograder.course import Unit
from autograder.submission import grade_id, is_graded_code
from autograder.verdict import MIME


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
    """`status` is "graded", "attention" (graded, but a person should look) or "failed"; `problems` says why."""

    student: str
    assignment: str
    status: str
    max_score: float
    score: float | None = None
    seconds: float = 0.0
    seed: str = ""
    late_seconds: float = 0.0
    problems: Sequence[str] = ()
    exercises: Sequence[ExerciseResult] = field(default_factory=list)

    @property
    def needs_attention(self) -> bool:
        return self.status != "graded"

    def to_json(self) -> dict:
        return asdict(self)


def read_result(
    directory: ClassDirectory, unit: Unit, student: str, problems: Sequence[str], seconds: float, seed: str
) -> Result:
    """The result of a submission that has been graded."""
    path = directory.root / "autograded" / student / unit.full_name / unit.notebook.name
    notebook = nbformat.read(path, as_version=4)
    with directory.gradebook() as gradebook:
        submission = gradebook.find_submission(unit.full_name, student)
        return Result(
            student=student,
            assignment=unit.full_name,
            status="attention" if problems else "graded",
            score=round(submission.score, 2),
            max_score=submission.max_score,
            seconds=round(seconds, 2),
            seed=seed,
            late_seconds=submission.total_seconds_late,
            problems=list(problems),
            exercises=_exercises(gradebook, unit, student, notebook),
        )


def _exercises(gradebook: Gradebook, unit: Unit, student: str, notebook: NotebookNode) -> list[ExerciseResult]:
    cells = {grade_id(cell): cell for cell in notebook.cells if grade_id(cell)}
    graded = [name for name, cell in cells.items() if cell.metadata.nbgrader.get("grade")]
    return [
        _exercise(gradebook.find_grade(name, unit.notebook.stem, unit.full_name, student), name, cells)
        for name in graded
    ]


def _exercise(grade: Grade, name: str, cells: dict[str, NotebookNode]) -> ExerciseResult:
    exercise, cell = name.removeprefix("test_"), cells[name]
    if not is_graded_code(cell):
        status = "needs a person" if grade.needs_manual_grade else "graded"
        status = "not tried" if status == "graded" and grade.manual_score is None else status
        return ExerciseResult(exercise, grade.max_score, grade.score, status)
    verdict = next((output.data[MIME] for output in cell.outputs if MIME in output.get("data", {})), None)
    if verdict is None:
        return ExerciseResult(exercise, grade.max_score, grade.score, "not graded")
    status = "graded" if verdict["tried"] else "not tried"
    return ExerciseResult(exercise, grade.max_score, grade.score, status, verdict["criteria"], verdict["diagnosis"])
