"""Grade a class: every submission on its own, so that one that fails costs no other its grade."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime

from nbgrader.api import InvalidEntry
from sqlalchemy.exc import DBAPIError

from autograder.classroom.directory import ClassDirectory
from autograder.classroom.settings import read_settings
from autograder.course.safe_text import printable
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.examiner.assignment import Assignment, Graded, Limits, limits_of
from autograder.gradebook.record_files import write_record
from autograder.gradebook.results import Result, failed_result, make_result
from autograder.gradebook.writer import Changed, enter_late_penalty, one_transaction, record
from autograder.grading.batch import ClassRun, ClassUnit
from autograder.grading.worker_pool import Job, NewWorkers, local_workers
from autograder.sandbox.command import require_hidden, require_sandbox


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
    with class_unit(directory, unit, sandbox, limits or limits_of(unit), "grading") as about:
        yield from _Grading(about, force).run(workers or local_workers())


@contextmanager
def class_unit(directory: ClassDirectory, unit: Unit, sandbox: str, limits: Limits, task: str) -> Iterator[ClassUnit]:
    """The submissions of a class to a unit, kept from others meanwhile; what stops the run is said in a sentence."""
    assignment = class_assignment(directory, unit, sandbox, limits)
    read_settings(directory.root)  # a mistake in them is told before anything is graded
    if not directory.students(unit):
        raise CourseError(
            f"nobody has handed in unit {unit.id}: put submissions in place with "
            f"`course collect {directory.quoted} {unit.id} FILES`"
        )
    with directory.locked(task), _said_in_a_sentence(directory), directory.gradebook() as gradebook:
        yield ClassUnit(directory, unit, assignment, gradebook)


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


class _Grading(ClassRun[Result]):
    """Results are recorded: in the gradebook, in autograded/ and in results/."""

    def __init__(self, about: ClassUnit, force: bool):
        super().__init__(about, force)
        self._done: dict[str, str] = {}  # the student who has a graded submission with that key

    def finish(self, job: Job, graded: Graded) -> Result:
        about = self._about
        try:
            changed = changed_answers(self.record(job.student), graded)
            result = record(about.gradebook, about.directory, about.unit, job.student, graded, changed)
        except (DBAPIError, InvalidEntry, OSError):
            raise  # it would happen to the next one too
        except Exception as error:
            return self.fail(job.student, job.seed, f"recording it failed with {type(error).__name__}: {error}")
        self._done[job.key] = job.student
        made = asdict(self.parts(job.key)) | {"limits": asdict(about.assignment.limits), "seed": graded.seed}
        made["versions"] = graded.versions or made["versions"]  # of the machine that graded it
        if graded.bubblewrap:
            made["bubblewrap"] = graded.bubblewrap  # for people: another one is no reason to grade again
        made["time"] = datetime.now().astimezone().isoformat(timespec="seconds")
        return self._note({"key": job.key, "graded": graded.to_json(), "made": made}, result)

    def keep(self, student: str, record: dict) -> Result:
        about = self._about
        with one_transaction(about.gradebook):  # the policy may be another, or a person has given points since
            enter_late_penalty(about.gradebook, about.directory, about.unit, student)
            result = make_result(about.gradebook, about.unit, student, record["graded"])
        return self._note(record, result)

    def fail(self, student: str, seed: str, problem: str) -> Result:
        return failed_result(self._about.unit, student, seed, printable(problem))

    def graded_before(self, key: str) -> Graded | None:
        if key not in self._done:
            return None
        directory, unit, student = self._about.directory, self._about.unit, self._done[key]
        notebook = directory.autograded(student, unit).read_text("utf-8")
        return Graded(notebook, **self.record(student)["graded"])

    def _note(self, record: dict, result: Result) -> Result:
        """The result is kept beside what made it."""
        about = self._about
        write_record(about.directory, about.unit, result.student, record | {"result": result.to_json()})
        return result


def changed_answers(record: dict, graded: Graded) -> Changed:
    """Whether the answer that a graded cell grades is another than the one the record is about."""
    before = record.get("graded", {}).get("answers", {})

    def changed(name: str) -> bool:
        answer = name if name in graded.answers else name.removeprefix("test_")
        return answer not in graded.answers or graded.answers[answer] != before.get(answer)

    return changed


def class_assignment(directory: ClassDirectory, unit: Unit, sandbox: str, limits: Limits) -> Assignment:
    """What the class has released, and the source with its hidden tests."""
    if sandbox == "bwrap":
        require_sandbox()
        require_hidden(directory.root)
    released = directory.released(unit).read_bytes()
    return Assignment(unit, released, directory.source(unit).read_bytes(), sandbox, limits)
