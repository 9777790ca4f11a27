"""The scores of a class, as its gradebook has them: points of the machine and of people, and penalties for lateness."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nbgrader.api import Gradebook, Student

from autograder.classroom.directory import ClassDirectory
from autograder.course.units import all_units
from autograder.errors import CourseError
from autograder.gradebook.reader import read_grades


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
        scores = _scores(gradebook, [column.name for column in columns])
        people = [_person(student, scores.get(student.id, {})) for student in gradebook.students]
    if not people:
        raise CourseError(
            f"there is nobody in {directory.root} yet: import the class with `course roster`, or grade a unit first"
        )
    return columns, people


def _person(student: Student, scores: Mapping[str, Score]) -> Person:
    first, last, email, lms_id = student.first_name, student.last_name, student.email, student.lms_user_id
    return Person(student.id, first or "", last or "", email or "", lms_id or "", scores)


def _scores(gradebook: Gradebook, assignments: Iterable[str]) -> dict[str, dict[str, Score]]:
    """By student and assignment."""
    scores: dict[str, dict[str, Score]] = {}
    for assignment in assignments:
        for student, grades in read_grades(gradebook, assignment).items():
            comments = tuple(filter(None, map(str.strip, grades.comments.values())))
            score = Score(grades.final_score, round(grades.penalty, 2), grades.waits, comments)
            scores.setdefault(student, {})[assignment] = score
    return scores
