"""Grade a class: every submission on its own, so that one that fails costs no other its grade."""

import hashlib
import json
import os
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from autograder.class_directory import ClassDirectory
from autograder.course import ROOT, Unit
from autograder.errors import CourseError
from autograder.examiner.conversation import Limits
from autograder.examiner.sandbox import require_hidden, require_sandbox
from autograder.grade_submission import Assignment, grade_submission
from autograder.gradebook_writer import record
from autograder.results import Result, read_result
from autograder.storable import printable
from autograder.submission import Rejected


def grade_class(
    directory: ClassDirectory,
    unit: Unit,
    *,
    force: bool = False,
    sandbox: str = "bwrap",
    limits: Limits | None = None,
) -> Iterator[Result]:
    """The result of each submission as it is graded; one that has not changed since is not graded again."""
    assignment = class_assignment(directory, unit, sandbox, limits or Limits())
    students = directory.students(unit)
    if not students:
        raise CourseError(
            f"nobody has handed in unit {unit.id}: put submissions in place with "
            f"`course collect {directory.root} {unit.id} FILES`"
        )
    for student in students:
        start = time.monotonic()
        seed = directory.seed(student, unit)
        path = directory.root / "results" / unit.full_name / f"{student}.json"
        try:
            data = _submitted(directory, unit, student)
            key = grading_key(assignment, data)
            old = _read_record(path)
            if force or old.get("key") != key:
                graded = grade_submission(data, assignment, seed)
                record(directory, unit, student, graded)
                old = {"seconds": graded.seconds, "problems": [*graded.repairs, *graded.problems]}
            result = read_result(directory, unit, student, old["problems"], old["seconds"], seed)
            _write_record(path, result.to_json() | {"key": key})
        except Rejected as problem:
            result = _failed(unit, student, seed, start, str(problem))
        except CourseError:
            raise
        except Exception as error:  # a mistake of the grader's: it must not cost others their grade
            what = printable(f"{type(error).__name__}: {error}")[:300]
            result = _failed(unit, student, seed, start, f"grading it stopped with {what}: grade it by hand")
        yield result


def _failed(unit: Unit, student: str, seed: str, start: float, problem: str) -> Result:
    return Result(
        student=student,
        assignment=unit.full_name,
        status="failed",
        max_score=unit.points,
        seconds=round(time.monotonic() - start, 2),
        seed=seed,
        problems=[problem],
    )


def class_assignment(directory: ClassDirectory, unit: Unit, sandbox: str, limits: Limits) -> Assignment:
    """What the class has released, and the source with its hidden tests."""
    if sandbox == "bwrap":
        require_sandbox()
        require_hidden(directory.root)
    released = directory.released(unit).read_bytes()
    source = (directory.root / "source" / unit.full_name / unit.notebook.name).read_bytes()
    return Assignment(unit, released, source, sandbox, limits)


def grading_key(assignment: Assignment, data: bytes) -> str:
    """What a grade depends on: the submission, the source notebook, the sandbox, and the code of exams and library."""
    parts = (data, assignment.released, assignment.source, assignment.sandbox.encode(), _code_digest())
    return hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


@cache
def _code_digest() -> bytes:
    digest = hashlib.sha256()
    for package in ("autograder", "course_lib"):
        for path in sorted((ROOT / package).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def _submitted(directory: ClassDirectory, unit: Unit, student: str) -> bytes:
    path = directory.submission(student, unit)
    try:
        return path.read_bytes()
    except OSError:
        there = [other.name for other in sorted(path.parent.glob("*.ipynb"))]
        found = f"found {', '.join(there)} instead" if there else "there is no notebook at all"
        raise Rejected(f"{path.name} is missing or cannot be read in {path.parent}; {found}") from None


def _read_record(path: Path) -> dict:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def _write_record(path: Path, record: dict) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(record, ensure_ascii=False, indent=1), "utf-8")
    os.replace(beside, path)
