"""What the gradebook says now about the submissions of a unit: points, comments, penalties."""

from dataclasses import dataclass, field

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)

from autograder.course.units import Unit


@dataclass(frozen=True)
class CellGrade:
    """`by_person` says that a person has entered the score, `waits` that one still has to look."""

    points: float
    score: float
    by_person: bool
    waits: bool


@dataclass
class Grades:
    """One submission: the grades of its cells and the comments of a person, by exercise."""

    cells: dict[str, CellGrade] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    penalty: float = 0.0
    late_seconds: float = 0.0

    @property
    def score(self) -> float:
        return max(0.0, sum(cell.score for cell in self.cells.values()) - self.penalty)

    @property
    def points(self) -> float:
        return sum(cell.points for cell in self.cells.values())

    @property
    def waiting_points(self) -> float:
        return sum(cell.points for cell in self.cells.values() if cell.waits)


def read_grades(gradebook: Gradebook, unit: Unit, student: str | None = None) -> dict[str, Grades]:
    """The grades of every submission by student, or of one student's, in a few queries whatever the size."""
    found: dict[str, Grades] = {}

    def chosen(query):
        query = query.join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        query = query.join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        query = query.filter(Assignment.name == unit.full_name)
        return query.filter(SubmittedAssignment.student_id == student) if student is not None else query

    who, session = SubmittedAssignment.student_id, gradebook.db
    columns = (who, GradeCell.name, GradeCell.max_score, Grade.score, Grade.manual_score, Grade.needs_manual_grade)
    grades = session.query(*columns).select_from(Grade).join(GradeCell, Grade.cell_id == GradeCell.id)
    for one, name, points, score, manual, waits in chosen(
        grades.join(SubmittedNotebook, Grade.notebook_id == SubmittedNotebook.id)
    ):
        cell = CellGrade(points, score, manual is not None, waits)
        found.setdefault(one, Grades()).cells[name.removeprefix("test_")] = cell
    comments = session.query(who, BaseCell.name, Comment.manual_comment).select_from(Comment)
    comments = comments.join(BaseCell, Comment.cell_id == BaseCell.id)
    for one, name, comment in chosen(comments.join(SubmittedNotebook, Comment.notebook_id == SubmittedNotebook.id)):
        if comment and one in found:
            found[one].comments[name.removeprefix("test_")] = comment
    for submission, penalty in chosen(
        session.query(SubmittedAssignment, SubmittedNotebook.late_submission_penalty).select_from(SubmittedNotebook)
    ):
        if submission.student_id in found:
            found[submission.student_id].penalty += penalty or 0.0
            found[submission.student_id].late_seconds = submission.total_seconds_late
    session.expunge_all()
    return found


def known_students(gradebook: Gradebook) -> dict[str, str]:
    """Everyone in the gradebook, by id, with the name that it has for them."""
    rows = gradebook.db.query(Student.id, Student.first_name, Student.last_name)
    return {one: " ".join(part for part in (first, last) if part) for one, first, last in rows}
