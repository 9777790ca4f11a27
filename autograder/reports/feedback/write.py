"""Feedback: one HTML page for each graded submission, in the place where nbgrader looks for it."""

import shutil
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.atomic_files import write_beside
from autograder.classroom.canary import require_no_canary
from autograder.classroom.directory import ClassDirectory
from autograder.course.cells import grade_id, is_answer
from autograder.course.hints import read_guides
from autograder.course.submitted_notebook import read_notebook
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.gradebook.cell_grades import Grades, known_students, read_grades
from autograder.gradebook.record import Examined, read_examined
from autograder.gradebook.record_files import Damaged, open_record
from autograder.reports.feedback.page import look_first, sections, still_open, without_paths
from autograder.reports.pages import render
from autograder.reports.student_answers import Written, read_written

# what nbgrader's release_feedback reads beside a page
HANDED_IN = ("timestamp.txt", "submission_secret.txt")


def write_feedback(directory: ClassDirectory, unit: Unit) -> list[Path]:
    """Write the pages anew and return them; a page that fails costs no other, and is named at the end."""
    graded = sorted(directory.root.glob(f"autograded/*/{unit.full_name}/{unit.notebook.name}"))
    if not graded:
        raise CourseError(
            f"nothing is graded yet for unit {unit.id}: run `course grade {directory.quoted} {unit.id}` first"
        )
    pages, failed = [], []
    with directory.gradebook() as gradebook:
        writer = _Writer(directory, unit, gradebook)
        for notebook in graded:
            student = notebook.parts[-3]
            page = directory.root / "feedback" / student / unit.full_name / f"{unit.notebook.stem}.html"
            page.unlink(missing_ok=True)  # an old page beside new grades would mislead
            try:
                write_beside(page, writer.page(student, notebook))
                _copy_notes(directory, unit, student, page.parent)
                pages.append(page)
            except CourseError as error:
                failed.append(str(error))
            except Exception as error:
                failed.append(f"the page of {student} failed with {type(error).__name__}: {error}")
    if failed:
        raise CourseError(
            f"{len(failed)} of {len(graded)} pages of feedback for unit {unit.id} were not written "
            f"(the others are): {'; '.join(failed)}"
        )
    return pages


class _Writer:
    """What all pages of a unit share."""

    def __init__(self, directory: ClassDirectory, unit: Unit, gradebook: Gradebook):
        self._directory, self._unit, self._gradebook = directory, unit, gradebook
        self._canary, self._names = directory.canary, known_students(gradebook)
        released = read_notebook(directory.released(unit).read_bytes())
        self._guides = read_guides(released)
        self._untouched = {grade_id(cell): cell.source for cell in released.cells if is_answer(cell)}

    def page(self, student: str, notebook: Path) -> str:
        what = f"the feedback of {student}"
        written = read_written(notebook)
        # a hidden test in what the student's own cells hold has leaked, whether or not the page would show it
        require_no_canary(what, written.shown, self._canary)
        examined = self._examined(student, written)
        grades = read_grades(self._gradebook, self._unit, student).get(student, Grades())
        made = sections(examined, grades, written, self._guides, self._untouched)
        html = render(
            "feedback.html",
            unit=self._unit,
            student=student,
            name=self._names.get(student, ""),
            sections=made,
            first=look_first(made),
            still_open=still_open(made),
            score=max(0.0, sum(section.score for section in made) - grades.penalty),
            points=sum(section.points for section in made),
            waiting=sum(section.points for section in made if section.state == "waits for a person"),
            penalty=grades.penalty,
            late_seconds=grades.late_seconds,
            repairs=[without_paths(repair) for repair in examined.repairs],
            problems=[without_paths(problem) for problem in examined.problems],
        )
        require_no_canary(what, html, self._canary)
        return html

    def _examined(self, student: str, written: Written) -> Examined:
        """The record; or, where `nbgrader autograde` was used and there is none, the verdicts in the notebook."""
        try:
            return read_examined(student, open_record(self._directory, self._unit, student))
        except Damaged:
            return Examined(student, written.verdicts, written.repairs)


def _copy_notes(directory: ClassDirectory, unit: Unit, student: str, folder: Path) -> None:
    for name in HANDED_IN:
        note = directory.submission(student, unit).parent / name
        if note.exists():
            shutil.copyfile(note, folder / name)
