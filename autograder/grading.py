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
from autograder.engine import EngineError, run_submission
from autograder.errors import CourseError
from autograder.results import Result, read_result
from autograder.submission import Rejected, read_notebook, rebuild


def grade_class(
    directory: ClassDirectory, unit: Unit, *, force: bool = False, timeout: int | None = None
) -> Iterator[Result]:
    """The result of each submission as it is graded; one that has not changed since is not graded again."""
    released = read_notebook(directory.released(unit).read_bytes())
    students = directory.students(unit)
    if not students:
        raise CourseError(
            f"nobody has handed in unit {unit.id}: put submissions in place with "
            f"`course collect {directory.root} {unit.id} FILES`"
        )
    for student in students:
        start = time.monotonic()
        seed = directory.seed(student, unit)
        record = directory.root / "results" / unit.full_name / f"{student}.json"
        try:
            data = _submitted(directory, unit, student)
            repairs = rebuild(read_notebook(data), released)[1]
            key = grading_key(directory, unit, data)
            old = _read_record(record)
            if force or old.get("key") != key:
                run_submission(directory, unit, student, seed, timeout)
                old = {}
            seconds = old.get("seconds", time.monotonic() - start)
            result = read_result(directory, unit, student, repairs, seconds, seed)
            _write_record(record, result.to_json() | {"key": key})
        except (Rejected, EngineError) as problem:
            result = Result(
                student=student,
                assignment=unit.full_name,
                status="failed",
                max_score=unit.points,
                seconds=round(time.monotonic() - start, 2),
                seed=seed,
                problems=[str(problem)],
            )
        yield result


def grading_key(directory: ClassDirectory, unit: Unit, data: bytes) -> str:
    """What a grade depends on: the submission, the source notebook, and the code of exams and library."""
    source = directory.root / "source" / unit.full_name / unit.notebook.name
    digest = hashlib.sha256(data)
    digest.update(source.read_bytes())
    digest.update(_code_digest())
    return digest.hexdigest()


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
