"""Record what became of a submission in nbgrader's gradebook and in autograded/: all of it, or nothing."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from nbgrader.api import Grade, Gradebook, SubmittedNotebook, TaskCell
from nbgrader.plugins import LateSubmissionPlugin

from autograder.assignment import Graded
from autograder.class_directory import ClassDirectory
from autograder.course import Unit
from autograder.files import write_beside

TIMESTAMP = "timestamp.txt"


def record(gradebook: Gradebook, directory: ClassDirectory, unit: Unit, student: str, graded: Graded) -> None:
    """Write the graded notebook, then the grades in one transaction."""
    submitted = directory.submission(student, unit).parent
    timestamp = directory.timestamp(submitted)
    folder = directory.root / "autograded" / student / unit.full_name
    write_beside(folder / unit.notebook.name, graded.notebook)
    if timestamp:
        write_beside(folder / TIMESTAMP, (submitted / TIMESTAMP).read_text("utf-8"))
    with _one_transaction(gradebook):
        gradebook.update_or_create_student(student)
        times = {"timestamp": timestamp} if timestamp else {}
        submission = gradebook.update_or_create_submission(unit.full_name, student, **times)
        notebook = gradebook.find_submission_notebook(unit.notebook.stem, unit.full_name, student)
        for grade in notebook.grades:
            if not isinstance(grade.cell, TaskCell):
                enter_score(grade, graded.verdicts, graded.answered.get(grade.cell.name, True))
            elif not grade.cell.max_score:
                grade.needs_manual_grade = False  # a rubric has no points; the answer below it has
        for comment in notebook.comments:
            comment.auto_comment = None if graded.answered.get(comment.cell.name, True) else "No response."
        gradebook.db.flush()
        _enter_late_penalty(directory, student, notebook, submission.total_seconds_late)


def enter_score(grade: Grade, verdicts: Mapping[str, dict | None], answered: bool) -> None:
    """Points exist only as a verdict of the examiner's; what has none waits for a person."""
    verdict = verdicts.get(grade.cell.name)
    if verdict is not None:
        grade.auto_score = min(verdict["score"], grade.cell.max_score)
    else:
        waits_for_a_person = answered or grade.cell.cell_type == "code"
        grade.auto_score = None if waits_for_a_person else 0
    grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None


def _enter_late_penalty(
    directory: ClassDirectory, student: str, notebook: SubmittedNotebook, seconds_late: float
) -> None:
    notebook.late_submission_penalty = None
    if seconds_late > 0:
        config = directory.config()
        plugin_class = config.AssignLatePenalties.get("plugin_class", LateSubmissionPlugin)
        penalty = plugin_class(config=config).late_submission_penalty(student, notebook.score, seconds_late)
        if penalty is not None:
            notebook.late_submission_penalty = min(max(0, penalty), notebook.score)


@contextmanager
def _one_transaction(gradebook: Gradebook) -> Iterator[None]:
    """nbgrader commits after every step; here its steps count together, and nothing is kept in memory after."""
    session, commit = gradebook.db, gradebook.db.commit
    session.commit = session.flush
    try:
        yield
        commit()
    except BaseException:
        session.rollback()
        raise
    finally:
        del session.commit
        session.expunge_all()
