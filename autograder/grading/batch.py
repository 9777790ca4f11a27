"""One run over the submissions of a class: which of them are graded, which need not be, and which are alike."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from nbgrader.api import Assignment, Gradebook, SubmittedAssignment

from autograder.classroom.directory import ClassDirectory
from autograder.classroom.student_id import require_student_id
from autograder.course.submitted_notebook import Rejected
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.examiner.assignment import Assignment as ToGrade
from autograder.examiner.assignment import Graded
from autograder.gradebook.record import read_examined
from autograder.gradebook.record_files import Damaged, open_record
from autograder.grading.provenance import Parts, more_time_would_help, parts_of
from autograder.grading.worker_pool import Job, NewWorkers, run_jobs

Outcome = TypeVar("Outcome")


@dataclass(frozen=True)
class ClassUnit:
    """What a run is about."""

    directory: ClassDirectory
    unit: Unit
    assignment: ToGrade
    gradebook: Gradebook


class ClassRun(ABC, Generic[Outcome]):
    """Submissions that are alike to the byte are graded once; one that has not changed since is not graded again."""

    def __init__(self, about: ClassUnit, force: bool):
        self._about, self._force = about, force
        self._ready: list[Outcome] = []
        self._running: set[str] = set()  # keys
        self._alike: dict[str, list[Job]] = {}  # jobs that wait for one with the same key
        self._parts: dict[str, Parts] = {}  # by key

    @abstractmethod
    def finish(self, job: Job, graded: Graded) -> Outcome:
        """What is made of a submission that was graded."""

    @abstractmethod
    def keep(self, student: str, record: dict) -> Outcome:
        """What is made of a submission whose grade holds still."""

    @abstractmethod
    def fail(self, student: str, seed: str, problem: str) -> Outcome:
        """What is made of a submission that cannot be graded."""

    @abstractmethod
    def graded_before(self, key: str) -> Graded | None:
        """What became of a submission with that key in this run."""

    def run(self, workers: NewWorkers) -> Iterator[Outcome]:
        for job, outcome in run_jobs(self._jobs(), self._about.assignment, workers):
            yield from self._take_ready()
            self._running.discard(job.key)
            for alike in (job, *self._alike.pop(job.key, ())):
                yield self._end(alike, outcome)
        yield from self._take_ready()

    def parts(self, key: str) -> Parts:
        return self._parts[key]

    def record(self, student: str) -> dict:
        """The record of the last grade; one that is damaged is as good as none, so that its submission is graded."""
        try:
            record = open_record(self._about.directory, self._about.unit, student)
            read_examined(student, record)
        except Damaged:
            return {}
        return record

    def _jobs(self) -> Iterator[Job]:
        """What has to be graded; what need not be is put among the outcomes that are ready."""
        directory, unit, assignment = self._about.directory, self._about.unit, self._about.assignment
        recorded = _in_gradebook(self._about.gradebook, unit)
        for student in directory.students(unit):
            seed = directory.seed(student, unit)
            try:
                data = _submitted(directory, unit, student)
            except (Rejected, CourseError) as problem:
                self._ready.append(self.fail(student, seed, str(problem)))
                continue
            parts = parts_of(assignment, data)
            job = Job(student, data, seed, parts.key)
            self._parts[job.key] = parts
            record = self.record(student)
            there = student in recorded and directory.autograded(student, unit).exists()
            holds = record.get("key") == job.key and "graded" in record and there
            if holds and not self._force and not more_time_would_help(record, assignment.limits):
                self._ready.append(self.keep(student, record))
            elif (done := self.graded_before(job.key)) is not None:
                self._ready.append(self._end(job, done))
            elif job.key in self._running:
                self._alike.setdefault(job.key, []).append(job)
            else:
                self._running.add(job.key)
                yield job

    def _take_ready(self) -> Iterator[Outcome]:
        while self._ready:
            yield self._ready.pop(0)

    def _end(self, job: Job, outcome: Graded | str) -> Outcome:
        if isinstance(outcome, str):
            return self.fail(job.student, job.seed, outcome)
        return self.finish(job, outcome)


def _in_gradebook(gradebook: Gradebook, unit: Unit) -> set[str]:
    """Everyone whose submission the gradebook has: a record without it is of another gradebook."""
    submissions = gradebook.db.query(SubmittedAssignment.student_id).join(SubmittedAssignment.assignment)
    return {student for (student,) in submissions.filter(Assignment.name == unit.full_name)}


def _submitted(directory: ClassDirectory, unit: Unit, student: str) -> bytes:
    if (composed := require_student_id(student)) != student:
        raise CourseError(f"its folder has accents in another Unicode form than ids have: rename it to {composed}")
    path = directory.submission(student, unit)
    try:
        return path.read_bytes()
    except OSError:
        there = [other.name for other in sorted(path.parent.glob("*.ipynb"))]
        found = f"found {', '.join(there)} instead" if there else "there is no notebook at all"
        raise Rejected(f"{path.name} is missing or cannot be read in {path.parent}; {found}") from None
