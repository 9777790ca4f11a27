"""Record what became of a submission in nbgrader's gradebook and in autograded/: all of it, or nothing."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from nbgrader.api import Grade, Gradebook, SubmittedAssignment, TaskCell

from autograder.atomic_files import write_beside
from autograder.classroom.directory import ClassDirectory
from autograder.course.units import Unit
from autograder.examiner.assignment import Graded
from autograder.gradebook.results import Result, hold_cells, make_result, notebook_of

CAME_ALONG = ("timestamp.txt", "submission_secret.txt")  # the secret finds the feedback in nbgrader's exchange
Changed = Callable[[str], bool]  # whether the answer that a graded cell grades is new, by the name of the cell


def record(
    gradebook: Gradebook, directory: ClassDirectory, unit: Unit, student: str, graded: Graded, changed: Changed
) -> Result:
    """Write the graded notebook, then the grades in one transaction; the result is what the gradebook has then."""
    write_notebook_of(directory, unit, student, graded)
    with one_transaction(gradebook):
        enter_grades(gradebook, directory, unit, student, graded, changed)
        return make_result(gradebook, unit, student, graded.to_json())


def write_notebook_of(directory: ClassDirectory, unit: Unit, student: str, graded: Graded) -> None:
    """The notebook as it was run, with what came along when it was handed in, where nbgrader looks for them."""
    submitted = directory.submission(student, unit).parent
    notebook = directory.autograded(student, unit)
    write_beside(notebook, graded.notebook)
    for name in CAME_ALONG:
        if (submitted / name).is_file():
            write_beside(notebook.with_name(name), (submitted / name).read_text("utf-8"))


def enter_grades(
    gradebook: Gradebook, directory: ClassDirectory, unit: Unit, student: str, graded: Graded, changed: Changed
) -> None:
    """Enter scores, comments and the penalty of a late submission; `changed` says which answers are new."""
    timestamp = directory.timestamp(directory.submission(student, unit).parent)
    hold_cells(gradebook, unit)
    gradebook.update_or_create_student(student)
    times = {"timestamp": timestamp} if timestamp else {}
    submission = gradebook.update_or_create_submission(unit.full_name, student, **times)
    notebook = notebook_of(submission, unit)
    with gradebook.db.no_autoflush:  # or each look at a cell would write the grade before it
        for grade in notebook.grades:
            if isinstance(grade.cell, TaskCell):
                leave_rubric(grade)
            else:
                answered = graded.answered.get(grade.cell.name, True)
                enter_score(grade, graded.verdicts, answered, changed(grade.cell.name))
        for comment in notebook.comments:
            comment.auto_comment = None if graded.answered.get(comment.cell.name, True) else "No response."
    gradebook.db.flush()
    _enter_late_penalty(gradebook, directory, unit, submission)


def enter_score(grade: Grade, verdicts: Mapping[str, dict | None], answered: bool, changed: bool = True) -> None:
    """Points exist only as a verdict of the examiner's; what has none waits for a person.

    A score that a person gave stays; it waits for them again if the answer has changed, or what the examiner gives.
    """
    verdict, before = verdicts.get(grade.cell.name), grade.auto_score
    if verdict is not None:
        grade.auto_score = min(verdict["score"], grade.cell.max_score)
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


def enter_late_penalty(gradebook: Gradebook, directory: ClassDirectory, unit: Unit, student: str) -> None:
    """As nbgrader's own preprocessor enters it, by the same plugin."""
    _enter_late_penalty(gradebook, directory, unit, gradebook.find_submission(unit.full_name, student))


def _enter_late_penalty(
    gradebook: Gradebook, directory: ClassDirectory, unit: Unit, submission: SubmittedAssignment
) -> None:
    notebook = notebook_of(submission, unit)
    notebook.late_submission_penalty = None
    if submission.total_seconds_late > 0:
        from nbgrader.preprocessors import AssignLatePenalties

        gradebook.db.refresh(notebook, ["score"])
        penalties = AssignLatePenalties(config=directory.config())
        penalties.assignment_id = unit.full_name
        penalties.init_plugin()
        late = (submission.student_id, notebook.score, submission.total_seconds_late)
        penalty = penalties.plugin_inst.late_submission_penalty(*late)
        if penalty is not None:
            notebook.late_submission_penalty = min(max(0, penalty), notebook.score)


@contextmanager
def one_transaction(gradebook: Gradebook, keep: bool = True) -> Iterator[None]:
    """nbgrader commits after every step; here its steps count together, or not at all if they are not to be kept.

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
