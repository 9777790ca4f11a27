"""The results of one unit: what every student has, read one record at a time."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from nbformat import NotebookNode
from nbgrader.api import Gradebook

from autograder.classroom.directory import ClassDirectory
from autograder.classroom.handed_in import read_handed_in
from autograder.course.hints import Guide, read_guides
from autograder.course.submitted_notebook import Rejected, read_notebook, rebuild
from autograder.course.units import Unit
from autograder.errors import CourseError
from autograder.exam_types.verdict import Verdict
from autograder.gradebook.reader import Grades, read_grades
from autograder.gradebook.record import Damaged, GradeRecord
from autograder.gradebook.record_files import open_record, recorded_students
from autograder.gradebook.results import final_score
from autograder.reports.class_report.misconceptions import misunderstood
from autograder.reports.feedback.page import named_diagnosis, without_paths
from course_lib.cards.observed import Mistake

NOT_NOTED = "not noted"


@dataclass(frozen=True)
class StudentResult:
    """One student: the share of the points that are graded so far, and the points of each exercise.

    `possible` is what each exercise is worth; `stopped_at` is the first exercise that was tried and lost points, with
    the reason.
    """

    student: str
    share: float
    scores: Mapping[str, float]
    possible: Mapping[str, float]
    waits: tuple[str, ...]
    ungraded: tuple[str, ...]
    tried: int
    repairs: tuple[str, ...]
    problems: tuple[str, ...]
    seconds: float
    stopped_at: tuple[str, str] | None

    @classmethod
    def of(cls, student: str, record: GradeRecord, grades: Grades) -> "StudentResult":
        """What the examiner says, and over it the points in the gradebook, of which some are a person's."""
        verdicts, entered = record.graded.by_exercise, grades.by_exercise
        issued = _issued(record)
        scores = {name: verdict.score for name, verdict in issued.items()}
        possible = {name: verdict.points for name, verdict in issued.items()}
        for name, cell in entered.items():
            possible[name] = cell.points
            if cell.waits and not cell.by_person:
                scores.pop(name, None)
            else:
                scores[name] = cell.score
        graded_so_far = sum(possible[name] for name in scores)
        return cls(
            student=student,
            share=final_score(sum(scores.values()), grades.penalty) / graded_so_far if graded_so_far else 0.0,
            scores=scores,
            possible=possible,
            waits=tuple(name for name, cell in entered.items() if cell.waits),
            ungraded=tuple(name for name, verdict in verdicts.items() if verdict is None),
            tried=sum(verdict.tried for verdict in issued.values()),
            repairs=tuple(record.graded.repairs),
            problems=tuple(without_paths(problem) for problem in record.graded.problems),
            seconds=record.graded.seconds,
            stopped_at=next(((name, _first_line(verdict)) for name, verdict in _lost_points(issued).items()), None),
        )


@dataclass
class ClassResults:
    """What the results of a unit say; `unread` are submissions without a usable result, with the reason."""

    unit: Unit
    guides: Mapping[str, Guide]
    points: dict[str, float] = field(default_factory=dict)
    students: list[StudentResult] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    mistakes: Counter[tuple[str, Mistake]] = field(default_factory=Counter)
    unnamed: Counter[str] = field(default_factory=Counter)
    untried: Counter[str] = field(default_factory=Counter)
    sandboxes: Counter[tuple[str, str]] = field(default_factory=Counter)  # each with its bubblewrap

    @property
    def handed_in(self) -> int:
        return len(self.students) + len(self.unread)

    @property
    def exercises(self) -> list[str]:
        """In the order of the notebook."""
        order = {name: place for place, name in enumerate(self.guides)}
        return sorted(self.points, key=lambda name: (order.get(name, len(order)), name))

    def add(self, student: str, record: GradeRecord, grades: Grades) -> None:
        result, issued = StudentResult.of(student, record, grades), _issued(record)
        self.students.append(result)
        self.points.update(result.possible)
        self.sandboxes[record.made.parts.sandbox if record.made else NOT_NOTED, record.graded.bubblewrap] += 1
        self.untried.update(name for name, verdict in issued.items() if not verdict.tried)
        for name, verdict in _lost_points(issued).items():
            mistakes = misunderstood(verdict)
            self.mistakes.update((name, mistake) for mistake in mistakes)
            self.unnamed[name] += not mistakes


def read_class_results(
    directory: ClassDirectory, unit: Unit, gradebook: Gradebook, everyone: Mapping[str, str]
) -> ClassResults:
    """Read every result of a unit; `everyone` is the whole class, by id."""
    released = read_notebook(directory.released(unit).read_bytes())
    results = ClassResults(unit, read_guides(released))
    grades = read_grades(gradebook, unit.full_name)
    for student in recorded_students(directory, unit):
        try:
            results.add(student, open_record(directory, unit, student), grades.get(student, Grades()))
        except Damaged as problem:
            results.unread[student] = f"{problem}: grade the unit again"
    known = {result.student for result in results.students} | results.unread.keys()
    for student in directory.students(unit):
        if student not in known:
            results.unread[student] = _why_no_result(directory, unit, student, released)
    results.absent = sorted(everyone.keys() - known - results.unread.keys())
    return results


def _issued(record: GradeRecord) -> dict[str, Verdict]:
    return {name: verdict for name, verdict in record.graded.by_exercise.items() if verdict is not None}


def _lost_points(verdicts: Mapping[str, Verdict]) -> dict[str, Verdict]:
    """Those of answers that were tried and have not every point."""
    return {name: verdict for name, verdict in verdicts.items() if verdict.tried and verdict.score < verdict.points}


def _first_line(verdict: Verdict) -> str:
    return without_paths(named_diagnosis(verdict) or verdict.diagnosis or "").split("\n")[0]


def _why_no_result(directory: ClassDirectory, unit: Unit, student: str, released: NotebookNode) -> str:
    try:
        rebuild(read_notebook(read_handed_in(directory, unit, student)), released)
    except (CourseError, Rejected) as problem:
        return str(problem)
    return "it has not been graded yet: grade the unit"
