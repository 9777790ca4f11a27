"""One run over the submissions of a class: which of them are graded, which need not be, and which are alike."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from nbgrader.api import Gradebook

from autograder.classroom.directory import ClassDirectory
from autograder.classroom.handed_in import read_handed_in
from autograder.course.submitted_notebook import Rejected
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.examiner.assignment import Assignment
from autograder.examiner.graded import Graded
from autograder.gradebook.reader import recorded_in
from autograder.gradebook.record import GradeRecord, Parts
from autograder.gradebook.record_files import read_record
from autograder.gradebook.results import Result
from autograder.gradebook.score_changes import Change
from autograder.gradebook.writer import GradebookWriter
from autograder.grading.provenance import more_time_would_help, parts_of
from autograder.grading.worker_pool import GradedOrWhyNot, Job, NewWorkers, run_jobs

ResultOrChange = TypeVar("ResultOrChange", Result, Change)


@dataclass(frozen=True)
class ClassUnit:
    """What a run is about."""

    directory: ClassDirectory
    unit: Unit
    assignment: Assignment
    gradebook: Gradebook

    @cached_property
    def writer(self) -> GradebookWriter:
        return GradebookWriter(self.gradebook, self.directory, self.unit)


@dataclass(kw_only=True)
class Submission(Job):
    """A job, with what a grade of it is made of, and the record of its last grade; None if that cannot be used."""

    parts: Parts
    before: GradeRecord | None


class ClassRun(ABC, Generic[ResultOrChange]):
    """Submissions that are alike to the byte are graded once; one that has not changed since is not graded again."""

    def __init__(self, about: ClassUnit, force: bool):
        self._about, self._force = about, force
        self._ready: list[ResultOrChange] = []
        self._alike: dict[str, list[Submission]] = {}  # by the key that runs: those that wait for its outcome

    @abstractmethod
    def finish(self, submission: Submission, graded: Graded) -> ResultOrChange:
        """What is made of a submission that was graded."""

    @abstractmethod
    def keep(self, student: str, record: GradeRecord) -> ResultOrChange:
        """What is made of a submission whose grade holds still."""

    @abstractmethod
    def fail(self, student: str, seed: str, problem: str) -> ResultOrChange:
        """What is made of a submission that cannot be graded."""

    @abstractmethod
    def graded_before(self, key: str) -> Graded | None:
        """What became of a submission with that key in this run."""

    def run(self, workers: NewWorkers) -> Iterator[ResultOrChange]:
        for submission, outcome in run_jobs(self._to_grade(), self._about.assignment, workers):
            yield from self._take_ready()
            yield self._end(submission, outcome)
            for alike in self._alike.pop(submission.key):
                yield self._end(alike, outcome)
        yield from self._take_ready()

    def _to_grade(self) -> Iterator[Submission]:
        """What has to be graded; what need not be is put among the outcomes that are ready."""
        directory, unit, assignment = self._about.directory, self._about.unit, self._about.assignment
        in_gradebook = recorded_in(self._about.gradebook, unit)  # a record without it is of another gradebook
        for student in directory.students(unit):
            seed = directory.seed(student, unit)
            try:
                data = read_handed_in(directory, unit, student)
            except (Rejected, CourseError) as problem:
                self._ready.append(self.fail(student, seed, str(problem)))
                continue
            parts, before = parts_of(assignment, data), read_record(directory, unit, student)
            submission = Submission(student, data, seed, parts.key, parts=parts, before=before)
            whole = student in in_gradebook and directory.autograded(student, unit).exists()
            if before and whole and self._holds(before, submission):
                self._ready.append(self.keep(student, before))
            elif (done := self.graded_before(submission.key)) is not None:
                self._ready.append(self._end(submission, done))
            elif submission.key in self._alike:
                self._alike[submission.key].append(submission)
            else:
                self._alike[submission.key] = []
                yield submission

    def _holds(self, record: GradeRecord, submission: Submission) -> bool:
        limits = self._about.assignment.limits
        return record.key == submission.key and not self._force and not more_time_would_help(record, limits)

    def _take_ready(self) -> Iterator[ResultOrChange]:
        while self._ready:
            yield self._ready.pop(0)

    def _end(self, submission: Submission, outcome: GradedOrWhyNot) -> ResultOrChange:
        if isinstance(outcome, str):
            return self.fail(submission.student, submission.seed, outcome)
        return self.finish(submission, outcome)
