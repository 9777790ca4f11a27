"""SHA-256 digests of the code that a grade depends on: the unit's exams and everything that grading imports."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from autograder.course.units import PACKAGE, ROOT, Unit

GRADING = ("autograder.grading.worker", "autograder.examiner.grade_submission")
# Copied into the sandbox and run there by path, so following imports would miss some of these.
STUDENTS_SIDE = tuple(
    sorted(path for part in ("protocol", "inside") for path in (PACKAGE / "sandbox" / part).glob("*.py"))
)


@cache
def exam_digest(unit: Unit) -> str:
    """The digest of the unit's exams and of the engine that runs them, without the exams of other units."""
    return _digest({*grading_code(unit), *STUDENTS_SIDE})


@cache
def library_digest() -> str:
    """The digest of course_lib, code and cards."""
    library = ROOT / "course_lib"
    return _digest(path for path in library.rglob("*") if path.suffix in (".py", ".json"))


def grading_code(unit: Unit) -> set[Path]:
    """Every file of the autograder that grading the unit imports, directly or through another."""
    waiting, seen = [*GRADING, f"autograder.exams.unit_{unit.id}"], set()
    while waiting:
        module = waiting.pop()
        path = _file(module)
        if path is not None and path not in seen:
            seen.add(path)
            waiting += _imported(path)
    return seen


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _file(module: str) -> Path | None:
    if not module.startswith("autograder."):
        return None
    path = ROOT.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.exists()), None)


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
