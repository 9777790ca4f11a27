"""Grade a class: every submission on its own, so that one that fails costs no other its grade."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from nbgrader.api import InvalidEntry
from sqlalchemy.exc import DBAPIError

from autograder.classroom.directory import ClassDirectory
from autograder.classroom.settings import read_settings
from autograder.course.cells import exercise_of
from autograder.course.safe_text import printable
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.examiner.assignment import Assignment, Limits, limits_of
from autograder.examiner.graded import Graded
from autograder.gradebook.reader import read_result
from autograder.gradebook.record import GradeRecord, Made
from autograder.gradebook.record_files import read_record, write_record
from autograder.gradebook.results import Result, failed_result
from autograder.gradebook.writer import Changed, one_transaction
from autograder.grading.batch import ClassRun, ClassUnit, Submission
from autograder.grading.run_log import LOG, run_log
from autograder.grading.worker_pool import NewWorkers, local_workers
from autograder.outside_files import read_below
from autograder.sandbox.bubblewrap import bubblewrap
from autograder.sandbox.command import require_hidden, require_sandbox

LARGEST = 250_000_000  # bytes of a graded notebook
IN_THE_WAY = (IsADirectoryError, NotADirectoryError, FileExistsError)


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
        box = f"sandbox {sandbox}" + (f", bubblewrap {bubblewrap()}" if sandbox == "bwrap" else "")
        with run_log(directory.root, f"{unit.full_name}, {len(directory.students(unit))} students, {box}") as counts:
            for result in _Recording(about, force).run(workers or local_workers()):
                counts[result.status] += 1
                yield result


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
    with directory.locked(task), directory.gradebook() as gradebook, _said_in_a_sentence(directory):
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


class _Recording(ClassRun[Result]):
    """Results are recorded: in the gradebook, in autograded/ and in results/."""

    def __init__(self, about: ClassUnit, force: bool):
        super().__init__(about, force)
        self._done: dict[str, str] = {}  # the student who has a graded submission with that key

    def finish(self, submission: Submission, graded: Graded) -> Result:
        student = submission.student
        return self._at_its_own_cost(student, submission.seed, lambda: self._record(submission, graded))

    def keep(self, student: str, record: GradeRecord) -> Result:
        return self._at_its_own_cost(student, record.result.seed, lambda: self._keep(student, record))

    def _at_its_own_cost(self, student: str, seed: str, record: Callable[[], Result]) -> Result:
        """What goes wrong with one submission's files costs no other its grade."""
        try:
            return record()
        except CourseError as error:
            return self.fail(student, seed, str(error))
        except IN_THE_WAY as error:
            return self.fail(student, seed, f"{error.filename2 or error.filename} is in the way: move it away")
        except (DBAPIError, InvalidEntry, OSError):
            raise  # a database or a disk that fails is not this submission's fault: stop the run
        except Exception as error:
            return self.fail(student, seed, f"recording it failed with {type(error).__name__}: {error}")

    def _record(self, submission: Submission, graded: Graded) -> Result:
        about, student = self._about, submission.student
        changed = changed_answers(submission.before, graded)
        result = about.writer.record(student, graded, changed)
        made = Made(
            parts=replace(submission.parts, versions=graded.versions or submission.parts.versions),
            limits=about.assignment.limits,
            seed=graded.seed,
            time=datetime.now().astimezone().isoformat(timespec="seconds"),
            bubblewrap=graded.bubblewrap,
        )
        record = GradeRecord(submission.key, replace(graded, notebook=""), made, result)
        write_record(about.directory, about.unit, student, submission.before, record)
        self._done[submission.key] = student
        LOG.info("graded: %s, %s of %g in %.2f s", student, f"{result.score:g}", result.max_score, result.seconds)
        return result

    def _keep(self, student: str, record: GradeRecord) -> Result:
        about = self._about
        with one_transaction(about.gradebook):  # the policy may be another, or a person has given points since
            about.writer.enter_late_penalty(student)
            result = read_result(about.gradebook, about.unit, student, record.graded)
        write_record(about.directory, about.unit, student, record, replace(record, result=result))
        return result

    def fail(self, student: str, seed: str, problem: str) -> Result:
        LOG.warning("refused: %s, %s", student, problem)
        return failed_result(self._about.unit, student, seed, printable(problem))

    def graded_before(self, key: str) -> Graded | None:
        if key not in self._done:
            return None
        directory, unit, student = self._about.directory, self._about.unit, self._done[key]
        record = read_record(directory, unit, student)
        if record is None or record.key != key:
            return None
        notebook = read_below(directory.root, directory.autograded(student, unit), LARGEST).decode("utf-8")
        return replace(record.graded, notebook=notebook)


def changed_answers(before: GradeRecord | None, graded: Graded) -> Changed:
    """Whether the answer that a graded cell grades is another than the one the record is about."""
    earlier = before.graded.answers if before else {}

    def changed(cell: str) -> bool:
        answer = cell if cell in graded.answers else exercise_of(cell)
        return answer not in graded.answers or graded.answers[answer] != earlier.get(answer)

    return changed


def class_assignment(directory: ClassDirectory, unit: Unit, sandbox: str, limits: Limits) -> Assignment:
    """What the class has released, and the source with its hidden tests."""
    if sandbox == "bwrap":
        require_sandbox()
        require_hidden(directory.root)
    released = directory.released(unit).read_bytes()
    return Assignment(unit, released, directory.source(unit).read_bytes(), sandbox, limits)
