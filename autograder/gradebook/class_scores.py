"""The scores of a class, as its gradebook has them: points of the machine and of people, and penalties for lateness."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from nbgrader.api import Assignment, Comment, Gradebook, SubmittedAssignment, SubmittedNotebook

from autograder.classroom.directory import ClassDirectory
from autograder.course.units import all_units
from autograder.errors import CourseError
from autograder.gradebook.results import final_score


@dataclass(frozen=True)
class Score:
    """What a submission is worth; `final` is what counts, `late_penalty` what lateness has taken off."""

    final: float
    late_penalty: float
    waits_for_a_person: bool
    comments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Person:
    """A student, with the score of each unit by its name; `lms_id` is their number in Canvas, if it is known."""

    id: str
    first_name: str
    last_name: str
    email: str
    lms_id: str
    scores: Mapping[str, Score] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As lists sort it."""
        return ", ".join(filter(None, (self.last_name, self.first_name))) or self.id


@dataclass(frozen=True)
class Column:
    """A unit that is released: nbgrader's name for it, its title and its points."""

    name: str
    title: str
    points: float


def class_scores(directory: ClassDirectory) -> tuple[list[Column], list[Person]]:
    """Every released unit, and every student of the class, those too who have handed in nothing."""
    titles = {unit.full_name: f"{unit.id} {unit.title}" for unit in all_units()}
    with directory.gradebook() as gradebook:
        columns = [Column(one.name, titles.get(one.name, one.name), one.max_score) for one in gradebook.assignments]
        if not columns:
            raise CourseError(
                f"no unit is released in {directory.root}: run `course release {directory.quoted} 01` first"
            )
        scores = _scores(gradebook)
        people = [
            Person(
                one.id,
                *(getattr(one, name) or "" for name in ("first_name", "last_name", "email", "lms_user_id")),
                scores=scores.get(one.id, {}),
            )
            for one in gradebook.students
        ]
    if not people:
        raise CourseError(
            f"there is nobody in {directory.root} yet: import the class with `course roster`, or grade a unit first"
        )
    return columns, people


def _scores(gradebook: Gradebook) -> dict[str, dict[str, Score]]:
    """By student and unit, asked for all at once: a class of a thousand takes as many questions as one of ten."""
    comments: dict[tuple[str, str], list[str]] = {}
    asked = (
        gradebook.db.query(SubmittedAssignment.id, Comment.manual_comment)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Comment, Comment.notebook_id == SubmittedNotebook.id)
        .filter(Comment.manual_comment.is_not(None))
    )
    for submission, comment in asked:
        if comment.strip():
            comments.setdefault(submission, []).append(comment.strip())
    scores: dict[str, dict[str, Score]] = {}
    for submission, student, unit, score, penalty, waits in gradebook.db.query(
        SubmittedAssignment.id,
        SubmittedAssignment.student_id,
        Assignment.name,
        SubmittedAssignment.score,
        SubmittedAssignment.late_submission_penalty,
        SubmittedAssignment.needs_manual_grade,
    ).join(Assignment, Assignment.id == SubmittedAssignment.assignment_id):
        said = tuple(comments.get(submission, ()))
        scores.setdefault(student, {})[unit] = Score(
            final_score(score, penalty), round(penalty or 0.0, 2), bool(waits), said
        )
    return scores
