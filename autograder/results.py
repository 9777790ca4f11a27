"""A result: what became of one submission, put together from the gradebook and the verdicts in the graded notebook."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Grade, Gradebook

from autograder.class_directory import ClassDirectory
from autograder.course import Unit
from autograder.submission import grade_id
from autograder.verdict import MIME

TIMEOUT = "CellTimeoutError"  # the name under which nbgrader records that a cell ran too long


@dataclass(frozen=True)
class ExerciseResult:
    """`status` is "graded", "needs a person", "not tried" or "not graded" (the graded cell gave no verdict)."""

    id: str
    points: float
    score: float
    status: str
    criteria: Sequence[dict] = ()
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
    directory: ClassDirectory, unit: Unit, student: str, repairs: Sequence[str], seconds: float, seed: str
) -> Result:
    """The result of a submission that has been graded."""
    path = directory.root / "autograded" / student / unit.full_name / unit.notebook.name
    notebook = nbformat.read(path, as_version=4)
    problems = [*repairs, *_timeouts(notebook)]
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
            problems=problems,
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
    exercise = name.removeprefix("test_")
    verdict = _verdict(cells[name])
    if grade.needs_manual_grade:
        status, diagnosis = "needs a person", None
    elif cells[name].cell_type == "markdown":
        status, diagnosis = "graded" if grade.manual_score is not None else "not tried", None
    elif verdict is None:
        status, diagnosis = "not graded", _error(cells.get(exercise)) or _error(cells[name])
    else:
        status, diagnosis = "graded" if verdict["tried"] else "not tried", verdict["diagnosis"]
    criteria = verdict["criteria"] if verdict else []
    return ExerciseResult(exercise, grade.max_score, grade.score, status, criteria, diagnosis)


def _verdict(cell: NotebookNode) -> dict | None:
    for output in cell.get("outputs", []):
        if MIME in output.get("data", {}):
            return output.data[MIME]
    return None


def _errors(cell: NotebookNode | None) -> list[NotebookNode]:
    return [output for output in cell.get("outputs", []) if output.output_type == "error"] if cell else []


def _error(cell: NotebookNode | None) -> str | None:
    """The error that a cell ended in, as a sentence."""
    if not (errors := _errors(cell)):
        return None
    if any(error.ename == TIMEOUT for error in errors):
        return "the cell ran too long and was stopped"
    detail = re.sub(r" \(\w+\.py, line (\d+)\)", r" in line \1", errors[0].evalue)
    return f"the cell stopped with {errors[0].ename}{': ' if detail else ''}{detail}"


def _timeouts(notebook: NotebookNode) -> list[str]:
    return [
        f"the cell {grade_id(cell) or number} ran too long and was stopped"
        for number, cell in enumerate(notebook.cells, 1)
        if any(error.ename == TIMEOUT for error in _errors(cell))
    ]
