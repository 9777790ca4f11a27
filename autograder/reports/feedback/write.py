"""Feedback: one HTML page for each graded submission, in the place where nbgrader looks for it."""

from pathlib import Path

from nbgrader.api import Gradebook

from autograder.atomic_files import write_beside
from autograder.classroom.canary import require_no_canary
from autograder.classroom.directory import ClassDirectory
from autograder.classroom.notes import read_notes
from autograder.course.hints import read_guides
from autograder.course.submitted_notebook import read_notebook
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.examiner.graded import Graded
from autograder.gradebook.reader import Grades, known_students, read_grades
from autograder.gradebook.record_files import read_record
from autograder.gradebook.results import final_score
from autograder.reports.feedback.page import State, look_first, sections, still_open, without_paths
from autograder.reports.pages import render
from autograder.reports.student_answers import GradedNotebook, answers_in, read_graded_notebook


def write_feedback(directory: ClassDirectory, unit: Unit) -> list[Path]:
    """Write the pages anew and return them; a page that fails costs no other, and is named at the end."""
    graded = sorted(directory.root.glob(f"autograded/*/{unit.full_name}/{unit.notebook.name}"))
    if not graded:
        raise CourseError(
            f"nothing is graded yet for unit {unit.id}: run `course grade {directory.quoted} {unit.id}` first"
        )
    pages: list[Path] = []
    failed: list[str] = []
    with directory.gradebook() as gradebook:
        writer = _Writer(directory, unit, gradebook)
        for notebook in graded:
            student = notebook.parts[-3]
            page = directory.root / "feedback" / student / unit.full_name / f"{unit.notebook.stem}.html"
            try:
                page.unlink(missing_ok=True)  # an old page beside new grades would mislead
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
        self._directory, self._unit = directory, unit
        self._canary, self._names = directory.canary, known_students(gradebook)
        self._grades = read_grades(gradebook, unit.full_name)
        released = read_notebook(directory.released(unit).read_bytes())
        self._guides, self._released = read_guides(released), answers_in(released)

    def page(self, student: str, path: Path) -> str:
        what = f"the feedback of {student}"
        notebook = read_graded_notebook(path)
        # a hidden test in what the student's own cells hold has leaked, whether or not the page would show it
        require_no_canary(what, notebook.shown, self._canary)
        graded, grades = self._graded(student, notebook), self._grades.get(student, Grades())
        made = sections(graded, grades, notebook.answers, self._guides, self._released)
        html = render(
            "feedback.html",
            unit=self._unit,
            student=student,
            name=self._names.get(student, ""),
            sections=made,
            first=look_first(made),
            still_open=still_open(made),
            score=final_score(sum(section.score for section in made), grades.penalty),
            points=sum(section.points for section in made),
            waiting=sum(section.points for section in made if section.state == State.WAITS),
            penalty=grades.penalty,
            late_seconds=grades.late_seconds,
            repairs=[without_paths(repair) for repair in graded.repairs],
            problems=[without_paths(problem) for problem in graded.problems],
        )
        require_no_canary(what, html, self._canary)
        return html

    def _graded(self, student: str, notebook: GradedNotebook) -> Graded:
        """Of the record; or, where `nbgrader autograde` was used and there is none, the verdicts in the notebook."""
        record = read_record(self._directory, self._unit, student)
        return record.graded if record else Graded(verdicts={**notebook.verdicts}, repairs=[*notebook.repairs])


def _copy_notes(directory: ClassDirectory, unit: Unit, student: str, folder: Path) -> None:
    """What nbgrader's release_feedback reads beside a page."""
    for name, text in read_notes(directory.submitted, directory.submission(student, unit).parent).items():
        write_beside(folder / name, text)
