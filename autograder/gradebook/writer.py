"""Record what became of a submission in nbgrader's gradebook and in autograded/: all of it, or nothing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
)
from sqlalchemy.orm import with_polymorphic

from autograder.atomic_files import write_beside
from autograder.classroom.directory import ClassDirectory
from autograder.classroom.notes import read_notes
from autograder.course.units import Unit
from autograder.exam_types.verdict import Verdict
from autograder.examiner.graded import Graded
from autograder.gradebook.reader import read_result
from autograder.gradebook.results import Result

if TYPE_CHECKING:
    from nbgrader.plugins import LateSubmissionPlugin

Changed = Callable[[str], bool]  # whether the answer that a graded cell grades is new, by the name of the cell


class GradebookWriter:
    """Enters the submissions to one unit; what the class's configuration says of late work is read once for all."""

    def __init__(self, gradebook: Gradebook, directory: ClassDirectory, unit: Unit):
        self._gradebook, self._directory, self._unit = gradebook, directory, unit

    def record(self, student: str, graded: Graded, changed: Changed) -> Result:
        """Write the graded notebook, then the grades in one transaction; the result is what the gradebook has then."""
        self._write_notebook(student, graded)
        with one_transaction(self._gradebook):
            self.enter_grades(student, graded, changed)
            return read_result(self._gradebook, self._unit, student, graded)

    def enter_grades(self, student: str, graded: Graded, changed: Changed) -> None:
        """Enter scores, comments and the penalty of a late submission; `changed` says which answers are new."""
        timestamp = self._directory.timestamp(self._directory.submission(student, self._unit).parent)
        self._hold_cells()
        self._gradebook.update_or_create_student(student)
        times = {"timestamp": timestamp} if timestamp else {}
        submission = self._gradebook.update_or_create_submission(self._unit.full_name, student, **times)
        notebook = self._notebook_of(submission)
        with self._gradebook.db.no_autoflush:  # or each look at a cell would write the grade before it
            for grade in notebook.grades:
                if isinstance(grade.cell, TaskCell):
                    leave_rubric(grade)
                else:
                    answered = graded.answered.get(grade.cell.name, True)
                    enter_score(grade, graded.verdicts, answered, changed(grade.cell.name))
            for comment in notebook.comments:
                comment.auto_comment = None if graded.answered.get(comment.cell.name, True) else "No response."
        self._gradebook.db.flush()
        self._enter_penalty(submission)

    def enter_late_penalty(self, student: str) -> None:
        """As nbgrader's own preprocessor enters it, by the same plugin."""
        self._enter_penalty(self._gradebook.find_submission(self._unit.full_name, student))

    def _write_notebook(self, student: str, graded: Graded) -> None:
        """The notebook as it was run, with what came along when it was handed in, where nbgrader looks for them."""
        submitted = self._directory.submission(student, self._unit).parent
        notebook = self._directory.autograded(student, self._unit)
        write_beside(notebook, graded.notebook)
        for name, text in read_notes(self._directory.submitted, submitted).items():  # part of the name of the feedback
            write_beside(notebook.with_name(name), text)

    def _hold_cells(self) -> None:
        """Read the cells of a unit in one query and keep them in the session, or each grade would ask for its own."""
        cells = self._gradebook.db.query(with_polymorphic(BaseCell, "*")).join(Notebook).join(Assignment)
        self._gradebook.db.info["cells"] = cells.filter(Assignment.name == self._unit.full_name).all()

    def _notebook_of(self, submission: SubmittedAssignment) -> SubmittedNotebook:
        return next(notebook for notebook in submission.notebooks if notebook.name == self._unit.notebook.stem)

    def _enter_penalty(self, submission: SubmittedAssignment) -> None:
        notebook = self._notebook_of(submission)
        notebook.late_submission_penalty = None
        if submission.total_seconds_late > 0:
            self._gradebook.db.refresh(notebook, ["score"])
            late = (submission.student_id, notebook.score, submission.total_seconds_late)
            penalty = self._late_policy.late_submission_penalty(*late)
            if penalty is not None:
                notebook.late_submission_penalty = min(max(0, penalty), notebook.score)

    @cached_property
    def _late_policy(self) -> "LateSubmissionPlugin":
        """The plugin that nbgrader would use in this class."""
        from nbgrader.preprocessors import AssignLatePenalties  # takes long to import, and most classes need it never

        preprocessor = AssignLatePenalties(config=self._directory.config())
        preprocessor.assignment_id = self._unit.full_name
        preprocessor.init_plugin()
        return preprocessor.plugin_inst


def enter_score(grade: Grade, verdicts: Mapping[str, Verdict | None], answered: bool, changed: bool = True) -> None:
    """Points exist only as a verdict of the examiner's; what has none waits for a person.

    A score that a person gave stays; it waits for them again if the answer has changed, or what the examiner gives.
    """
    verdict, before = verdicts.get(grade.cell.name), grade.auto_score
    if verdict is not None:
        grade.auto_score = min(verdict.score, grade.cell.max_score)
    else:
        waits_for_a_person = answered or grade.cell.cell_type == "code"
        grade.auto_score = None if waits_for_a_person else 0
    if grade.manual_score is None:
        grade.needs_manual_grade = grade.auto_score is None
    else:
        grade.needs_manual_grade = grade.needs_manual_grade or changed or grade.auto_score != before


def leave_rubric(grade: Grade) -> None:
    """A rubric is a task worth no points, so it does not wait for a person, as nbgrader would have it."""
    if grade.cell.max_score == 0 and grade.manual_score is None:
        grade.auto_score, grade.needs_manual_grade = 0, False


@contextmanager
def one_transaction(gradebook: Gradebook, keep: bool = True) -> Iterator[None]:
    """nbgrader commits after every step; here its steps count together, or not at all if they are not to be kept.

    `commit` is replaced because nbgrader's methods call it themselves, which would end any transaction around them.
    Nothing stays in memory after.
    """
    session, commit = gradebook.db, gradebook.db.commit
    session.commit = session.flush
    try:
        yield
        commit() if keep else session.rollback()
    except BaseException:
        session.rollback()
        raise
    finally:
        del session.commit
        session.expunge_all()
