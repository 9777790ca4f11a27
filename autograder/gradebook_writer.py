"""Record what became of a submission in nbgrader's gradebook and in autograded/: all of it, or nothing."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.api import Grade, Gradebook, SubmittedNotebook, TaskCell
from nbgrader.preprocessors import AssignLatePenalties

from autograder.build import write_notebook
from autograder.class_directory import ClassDirectory
from autograder.course import Unit
from autograder.grade_submission import Graded
from autograder.submission import grade_id, is_answer
from autograder.verdict import Verdict


def record(directory: ClassDirectory, unit: Unit, student: str, graded: Graded) -> None:
    """Write the graded notebook, then the grades in one transaction."""
    submitted = directory.submission(student, unit).parent
    timestamp = directory.coursedir().get_existing_timestamp(str(submitted))
    _write_files(directory, unit, student, graded, timestamp)
    with directory.gradebook() as gradebook, _one_transaction(gradebook):
        gradebook.update_or_create_student(student)
        times = {"timestamp": timestamp} if timestamp else {}
        submission = gradebook.update_or_create_submission(unit.full_name, student, **times)
        notebook = gradebook.find_submission_notebook(unit.notebook.stem, unit.full_name, student)
        answered = {grade_id(cell): not is_untouched(cell) for cell in graded.notebook.cells if is_answer(cell)}
        for grade in notebook.grades:
            if not isinstance(grade.cell, TaskCell):
                enter_score(grade, graded.verdicts, answered.get(grade.cell.name, True))
        for comment in notebook.comments:
            comment.auto_comment = None if answered.get(comment.cell.name, True) else "No response."
        gradebook.db.flush()
        _enter_late_penalty(directory, student, notebook, submission.total_seconds_late)


def enter_score(grade: Grade, verdicts: Mapping[str, Verdict], answered: bool) -> None:
    """Points exist only as a verdict of the examiner's; what has none waits for a person."""
    verdict = verdicts.get(grade.cell.name)
    if verdict is not None:
        grade.auto_score = min(verdict.score, grade.cell.max_score)
    else:
        waits_for_a_person = answered or grade.cell.cell_type == "code"
        grade.auto_score = None if waits_for_a_person else 0
    grade.needs_manual_grade = grade.manual_score is not None or grade.auto_score is None


def is_untouched(cell: NotebookNode) -> bool:
    """Whether the answer is still what was released."""
    return cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell)


def _enter_late_penalty(
    directory: ClassDirectory, student: str, notebook: SubmittedNotebook, seconds_late: float
) -> None:
    notebook.late_submission_penalty = None
    if seconds_late > 0:
        penalties = AssignLatePenalties(config=directory.config())
        penalties.init_plugin()
        penalty = penalties.plugin_inst.late_submission_penalty(student, notebook.score, seconds_late)
        if penalty is not None:
            notebook.late_submission_penalty = min(max(0, penalty), notebook.score)


@contextmanager
def _one_transaction(gradebook: Gradebook) -> Iterator[None]:
    """nbgrader commits after every step; here its steps count together."""
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


def _write_files(directory: ClassDirectory, unit: Unit, student: str, graded: Graded, timestamp: object) -> None:
    folder = directory.root / "autograded" / student / unit.full_name
    folder.mkdir(parents=True, exist_ok=True)
    files = {unit.notebook.name: write_notebook(graded.notebook)}
    if timestamp:
        files["timestamp.txt"] = (directory.submission(student, unit).parent / "timestamp.txt").read_text("utf-8")
    for name, text in files.items():
        beside = folder / f".{name}.new"
        beside.write_text(text, "utf-8")
        os.replace(beside, folder / name)
