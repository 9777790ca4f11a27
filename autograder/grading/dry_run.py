"""What grading a class would change, with nothing written: every step is taken, and taken back."""

from collections.abc import Iterator
from dataclasses import replace

from nbgrader.api import MissingEntry

from autograder.classroom.directory import ClassDirectory
from autograder.course.units import Unit
from autograder.examiner.assignment import Graded, Limits, limits_of
from autograder.gradebook.results import Result, make_result
from autograder.gradebook.score_changes import Change, change_of
from autograder.gradebook.writer import enter_grades, enter_late_penalty, one_transaction
from autograder.grading.batch import ClassRun, ClassUnit
from autograder.grading.grade_class import changed_answers, class_unit
from autograder.grading.provenance import changed_parts
from autograder.grading.worker_pool import Job, NewWorkers, local_workers

UNKNOWN = {"verdicts": {}, "repairs": [], "problems": [], "seconds": 0.0, "seed": ""}


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

    def finish(self, job: Job, graded: Graded) -> Change:
        about, record = self._about, self.record(job.student)
        self._done[job.key] = replace(graded, notebook="")
        before = self._result_now(job.student, record)
        with one_transaction(about.gradebook, keep=False):
            changed = changed_answers(record, graded)
            enter_grades(about.gradebook, about.directory, about.unit, job.student, graded, changed)
            after = make_result(about.gradebook, about.unit, job.student, graded.to_json())
        parts = changed_parts(record.get("made"), self.parts(job.key), about.assignment.limits)
        return change_of(before, after, parts)

    def keep(self, student: str, record: dict) -> Change:
        about, before = self._about, self._result_now(student, record)
        with one_transaction(about.gradebook, keep=False):
            enter_late_penalty(about.gradebook, about.directory, about.unit, student)
            after = make_result(about.gradebook, about.unit, student, record["graded"])
        return change_of(before, after, [])

    def fail(self, student: str, seed: str, problem: str) -> Change:
        before = self._result_now(student, self.record(student))
        score = before and before.final_score
        return Change(student, self._about.unit.points, score, score, problem=problem)

    def graded_before(self, key: str) -> Graded | None:
        return self._done.get(key)

    def _result_now(self, student: str, record: dict) -> Result | None:
        """The result as the gradebook has it, with what a person has given since; None if it has none.

        Of a grade without a record, which `nbgrader autograde` has made, only the score is known.
        """
        about = self._about
        try:
            with one_transaction(about.gradebook, keep=False):
                result = make_result(about.gradebook, about.unit, student, record.get("graded", UNKNOWN))
        except MissingEntry:
            return None
        return result if "graded" in record else replace(result, exercises=())
