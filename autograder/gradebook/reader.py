"""Read nbgrader's gradebook: points, comments and penalties of the submissions to one assignment, in three queries."""

from dataclasses import dataclass, field
from typing import Any

from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    MissingEntry,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy.orm import Query

from autograder.course.cells import exercise_of
from autograder.course.units import Unit
from autograder.examiner.graded import Graded
from autograder.gradebook.results import ExerciseResult, ExerciseStatus, Result, Status, final_score, verdict_result

Rows = Query[Any]  # nbgrader's columns have no types


@dataclass(frozen=True)
class CellGrade:
    """`by_person` says that a person has entered the score, `waits` that one still has to look."""

    points: float
    score: float
    by_person: bool = False
    waits: bool = False


@dataclass
class Grades:
    """One submission: grades by the name of the cell, those of task cells in `rubrics`; comments by exercise."""

    cells: dict[str, CellGrade] = field(default_factory=dict)
    rubrics: dict[str, CellGrade] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    points: float = 0.0
    penalty: float = 0.0
    late_seconds: float = 0.0

    @property
    def by_exercise(self) -> dict[str, CellGrade]:
        return {exercise_of(cell): grade for cell, grade in self.cells.items()}

    @property
    def every(self) -> list[CellGrade]:
        return [*self.cells.values(), *self.rubrics.values()]

    @property
    def score(self) -> float:
        return round(sum(grade.score for grade in self.every), 2)

    @property
    def waits(self) -> bool:
        return any(grade.waits for grade in self.every)

    @property
    def final_score(self) -> float:
        return final_score(self.score, self.penalty)


def read_grades(gradebook: Gradebook, assignment: str, student: str | None = None) -> dict[str, Grades]:
    """The grades of every submission to an assignment by student, or of one student's."""
    session = gradebook.db
    session.flush()  # the rows are forgotten at the end, and with them what was not written yet

    def chosen(query: Rows) -> Rows:
        query = query.join(Assignment, SubmittedAssignment.assignment_id == Assignment.id)
        query = query.filter(Assignment.name == assignment)
        return query if student is None else query.filter(SubmittedAssignment.student_id == student)

    submissions: dict[str, Grades] = {}
    notebooks: dict[str, Grades] = {}
    columns = (SubmittedAssignment.max_score, SubmittedNotebook.id, SubmittedNotebook.late_submission_penalty)
    handed_in = session.query(SubmittedAssignment, *columns)
    for submission, points, notebook, penalty in chosen(handed_in.join(SubmittedAssignment.notebooks)):
        grades = notebooks[notebook] = submissions.setdefault(submission.student_id, Grades(points=points))
        grades.penalty += penalty or 0.0
        grades.late_seconds = submission.total_seconds_late

    if not submissions:
        return {}

    def of_notebooks(query: Rows, owner: type[Grade] | type[Comment]) -> Rows:
        """By the id where there is one notebook: SQLite has no index that would find it by the student."""
        query = query.join(BaseCell, owner.cell_id == BaseCell.id)
        if student is not None:
            return query.filter(owner.notebook_id.in_(notebooks))
        query = query.join(SubmittedNotebook, owner.notebook_id == SubmittedNotebook.id)
        return chosen(query.join(SubmittedAssignment, SubmittedNotebook.assignment_id == SubmittedAssignment.id))

    rows = session.query(Grade.notebook_id, BaseCell.name, BaseCell.type, Grade.max_score, Grade.score)
    rows = rows.add_columns(Grade.manual_score, Grade.needs_manual_grade)
    for notebook, cell, kind, points, score, by_person, waits in of_notebooks(rows, Grade).order_by(BaseCell.name):
        place = notebooks[notebook].rubrics if kind == "TaskCell" else notebooks[notebook].cells
        place[cell] = CellGrade(points, score, by_person is not None, waits)
    remarks = session.query(Comment.notebook_id, BaseCell.name, Comment.manual_comment)
    for notebook, cell, comment in of_notebooks(remarks, Comment):
        if comment:
            notebooks[notebook].comments[exercise_of(cell)] = comment
    session.expunge_all()
    return submissions


def read_result(gradebook: Gradebook, unit: Unit, student: str, graded: Graded) -> Result:
    """The result of a submission as the gradebook has it now; raises MissingEntry if it has none of the student's."""
    grades = read_grades(gradebook, unit.full_name, student).get(student)
    if grades is None:
        raise MissingEntry(f"no submission of {student} to {unit.full_name}")
    return make_result(unit, student, graded, grades)


def make_result(unit: Unit, student: str, graded: Graded, grades: Grades) -> Result:
    """What the examiner says and the points that count: a person's may have replaced the examiner's."""
    examined = [
        verdict_result(cell, verdict, grades.cells[cell].points, grades.cells[cell].score)
        for cell, verdict in graded.verdicts.items()
        if cell in grades.cells
    ]
    by_a_person = [_by_a_person(cell, grade) for cell, grade in grades.cells.items() if cell not in graded.verdicts]
    return Result(
        student=student,
        assignment=unit.full_name,
        status=Status.ATTENTION if graded.reasons_to_look else Status.GRADED,
        score=grades.score,
        max_score=grades.points,
        seconds=graded.seconds,
        seed=graded.seed,
        late_seconds=grades.late_seconds,
        late_penalty=round(grades.penalty, 2),
        problems=graded.reasons_to_look,
        exercises=examined + by_a_person,
        bubblewrap=graded.bubblewrap,
    )


def _by_a_person(cell: str, grade: CellGrade) -> ExerciseResult:
    if grade.waits:
        return ExerciseResult(cell, grade.points, grade.score, ExerciseStatus.NEEDS_A_PERSON)
    status = ExerciseStatus.GRADED if grade.by_person else ExerciseStatus.NOT_TRIED
    return ExerciseResult(cell, grade.points, grade.score, status)


def recorded_in(gradebook: Gradebook, unit: Unit) -> set[str]:
    """Everyone who has a submission in the gradebook."""
    submissions = gradebook.db.query(SubmittedAssignment.student_id).join(SubmittedAssignment.assignment)
    return {student for (student,) in submissions.filter(Assignment.name == unit.full_name)}


def known_students(gradebook: Gradebook) -> dict[str, str]:
    """Everyone in the gradebook, by id, with the name that it has for them."""
    rows = gradebook.db.query(Student.id, Student.first_name, Student.last_name)
    return {student: " ".join(part for part in (first, last) if part) for student, first, last in rows}
