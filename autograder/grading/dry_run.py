"""Dry run: grade in a transaction that is rolled back, and report how scores would change."""

from collections.abc import Iterator
from dataclasses import replace

from nbgrader.api import MissingEntry

from autograder.classroom.directory import ClassDirectory
from autograder.course.units import Unit
from autograder.examiner.assignment import Limits, limits_of
from autograder.examiner.graded import Graded
from autograder.gradebook.reader import read_result
from autograder.gradebook.record import GradeRecord
from autograder.gradebook.results import Result
from autograder.gradebook.score_changes import Change, change_of
from autograder.gradebook.writer import one_transaction
from autograder.grading.batch import ClassRun, ClassUnit, Submission
from autograder.grading.grade_class import changed_answers, class_unit
from autograder.grading.provenance import changed_parts
from autograder.grading.worker_pool import NewWorkers, local_workers


def preview_class(
    directory: ClassDirectory,
    unit: Unit,
    *,
    force: bool = False,
    sandbox: str = "bwrap",
    limits: Limits | None = None,
    workers: NewWorkers | None = None,
) -> Iterator[Change]:
    """What `grade_class` would do to each submission."""
    with class_unit(directory, unit, sandbox, limits or limits_of(unit), "looking what would change") as about:
        yield from _Preview(about, force).run(workers or local_workers())


class _Preview(ClassRun[Change]):
    def __init__(self, about: ClassUnit, force: bool):
        super().__init__(about, force)
        self._done: dict[str, Graded] = {}

    def finish(self, submission: Submission, graded: Graded) -> Change:
        about, record, student = self._about, submission.before, submission.student
        self._done[submission.key] = replace(graded, notebook="")
        before = self._result_now(student, record)
        with one_transaction(about.gradebook, keep=False):
            about.writer.enter_grades(student, graded, changed_answers(record, graded))
            after = read_result(about.gradebook, about.unit, student, graded)
        parts = changed_parts(record.made if record else None, submission.parts, about.assignment.limits)
        return change_of(before, after, parts)

    def keep(self, student: str, record: GradeRecord) -> Change:
        about, before = self._about, self._result_now(student, record)
        with one_transaction(about.gradebook, keep=False):
            about.writer.enter_late_penalty(student)
            after = read_result(about.gradebook, about.unit, student, record.graded)
        return change_of(before, after, [])

    def fail(self, student: str, seed: str, problem: str) -> Change:
        before = self._result_now(student, None)
        score = None if before is None else before.final_score
        return Change(student, self._about.unit.points, score, score, problem=problem)

    def graded_before(self, key: str) -> Graded | None:
        return self._done.get(key)

    def _result_now(self, student: str, record: GradeRecord | None) -> Result | None:
        """The result as the gradebook has it, with what a person has given since; None if it has none.

        Of a grade without a record, which `nbgrader autograde` has made, only the score is known.
        """
        graded = record.graded if record else Graded()
        try:
            with one_transaction(self._about.gradebook, keep=False):
                result = read_result(self._about.gradebook, self._about.unit, student, graded)
        except MissingEntry:
            return None
        return result if record else replace(result, exercises=())
