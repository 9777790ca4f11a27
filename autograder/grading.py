"""Grade a class: every submission on its own, so that one that fails costs no other its grade."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from nbgrader.api import Gradebook, InvalidEntry
from sqlalchemy.exc import DBAPIError

from autograder.assignment import Assignment, Graded, Limits, limits_of
from autograder.class_directory import ClassDirectory
from autograder.course import ROOT, Unit
from autograder.errors import CourseError
from autograder.examiner.sandbox import require_hidden, require_sandbox
from autograder.files import write_beside
from autograder.gradebook_writer import record
from autograder.results import Result, failed_result, make_result
from autograder.runner import Job, NewWorkers, local_workers, run_jobs
from autograder.storable import printable
from autograder.submission import Rejected


def grade_class(
    directory: ClassDirectory,
    unit: Unit,
    *,
    force: bool = False,
    sandbox: str = "bwrap",
    limits: Limits | None = None,
    workers: NewWorkers | None = None,
) -> Iterator[Result]:
    """The result of each submission as it is graded; one that has not changed since is not graded again."""
    assignment = class_assignment(directory, unit, sandbox, limits or limits_of(unit))
    if not directory.students(unit):
        raise CourseError(
            f"nobody has handed in unit {unit.id}: put submissions in place with "
            f"`course collect {directory.root} {unit.id} FILES`"
        )
    with directory.locked("grading"), _said_in_a_sentence(directory), directory.gradebook() as gradebook:
        grading = _Grading(directory, unit, assignment, gradebook, force)
        yield from grading.run(workers or local_workers())


@contextmanager
def _said_in_a_sentence(directory: ClassDirectory) -> Iterator[None]:
    """A database or a disk that fails stops the run; what was recorded before stays whole."""
    try:
        yield
    except (DBAPIError, InvalidEntry, OSError) as error:
        reason = str(getattr(error, "orig", error)).strip().splitlines()[0]
        raise CourseError(
            f"grading stopped, because nothing more could be written in {directory.root}: {reason}. "
            "Mend that and grade again: what is recorded is kept"
        ) from error


class _Grading:
    """One run over a class; submissions that are alike to the byte are graded once."""

    def __init__(
        self, directory: ClassDirectory, unit: Unit, assignment: Assignment, gradebook: Gradebook, force: bool
    ):
        self._directory, self._unit, self._assignment = directory, unit, assignment
        self._gradebook, self._force = gradebook, force
        self._ready: list[Result] = []
        self._running: set[str] = set()  # keys
        self._alike: dict[str, list[Job]] = {}  # jobs that wait for one with the same key
        self._done: dict[str, str] = {}  # the student who has a graded submission with that key

    def run(self, workers: NewWorkers) -> Iterator[Result]:
        for job, outcome in run_jobs(self._jobs(), self._assignment, workers):
            yield from self._take_ready()
            self._running.discard(job.key)
            for alike in (job, *self._alike.pop(job.key, ())):
                yield self._finish(alike, outcome)
        yield from self._take_ready()

    def _jobs(self) -> Iterator[Job]:
        """What has to be graded; what need not be is put among the results that are ready."""
        for student in self._directory.students(self._unit):
            seed = self._directory.seed(student, self._unit)
            try:
                data = _submitted(self._directory, self._unit, student)
            except Rejected as problem:
                self._ready.append(failed_result(self._unit, student, seed, str(problem)))
                continue
            job = Job(student, data, seed, grading_key(self._assignment, data))
            old = _read_record(self._record(student))
            if not self._force and old.get("key") == job.key and "graded" in old:
                self._ready.append(self._note(student, job.key, old["graded"]))
            elif job.key in self._done:
                self._ready.append(self._finish(job, self._graded_before(self._done[job.key])))
            elif job.key in self._running:
                self._alike.setdefault(job.key, []).append(job)
            else:
                self._running.add(job.key)
                yield job

    def _take_ready(self) -> Iterator[Result]:
        while self._ready:
            yield self._ready.pop(0)

    def _finish(self, job: Job, outcome: Graded | str) -> Result:
        if isinstance(outcome, str):
            return failed_result(self._unit, job.student, job.seed, outcome)
        try:
            record(self._gradebook, self._directory, self._unit, job.student, outcome)
        except (DBAPIError, InvalidEntry, OSError):
            raise  # it would happen to the next one too
        except Exception as error:
            problem = printable(f"recording it failed with {type(error).__name__}: {error}")
            return failed_result(self._unit, job.student, job.seed, problem)
        self._done[job.key] = job.student
        return self._note(job.student, job.key, outcome.to_json())

    def _graded_before(self, student: str) -> Graded:
        path = self._directory.root / "autograded" / student / self._unit.full_name / self._unit.notebook.name
        return Graded(path.read_text("utf-8"), **_read_record(self._record(student))["graded"])

    def _note(self, student: str, key: str, graded: dict) -> Result:
        """The result as the gradebook has it now, kept beside it."""
        result = make_result(self._gradebook, self._unit, student, graded)
        note = {"key": key, "graded": graded, "result": result.to_json()}
        write_beside(self._record(student), json.dumps(note, ensure_ascii=False, indent=1))
        return result

    def _record(self, student: str) -> Path:
        return self._directory.root / "results" / self._unit.full_name / f"{student}.json"


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
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}
