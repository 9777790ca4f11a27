"""A survey of the results of one unit: where every student stands, read one result file at a time."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from nbgrader.api import Gradebook

from autograder.classroom.directory import ClassDirectory
from autograder.course.hints import Guide, read_guides
from autograder.course.submitted_notebook import Rejected, read_notebook, rebuild
from autograder.course.units import Unit
from autograder.gradebook.cell_grades import Grades, read_grades
from autograder.gradebook.record import Examined, read_examined
from autograder.gradebook.record_files import Damaged, open_record, recorded_students
from autograder.reports.class_report.misconceptions import Misunderstood, misunderstood
from autograder.reports.feedback.page import named_diagnosis, without_paths

NOT_NOTED = "not noted"


@dataclass(frozen=True)
class Standing:
    """One student: the share of the points that are graded so far, and the points of each exercise.

    `stopped_at` is the first exercise that was tried and lost points, with the reason.
    """

    student: str
    share: float
    scores: Mapping[str, float]
    waits: tuple[str, ...] = ()
    ungraded: tuple[str, ...] = ()
    tried: int = 0
    repairs: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    seconds: float = 0.0
    stopped_at: tuple[str, str] | None = None


@dataclass
class Survey:
    """What the results of a unit say; `unread` are submissions without a usable result, with the reason."""

    unit: Unit
    guides: Mapping[str, Guide]
    points: dict[str, float] = field(default_factory=dict)
    standings: list[Standing] = field(default_factory=list)
    unread: dict[str, str] = field(default_factory=dict)
    absent: list[str] = field(default_factory=list)
    mistakes: Counter[tuple[str, Misunderstood]] = field(default_factory=Counter)
    unnamed: Counter[str] = field(default_factory=Counter)
    untried: Counter[str] = field(default_factory=Counter)
    sandboxes: Counter[tuple[str, str]] = field(default_factory=Counter)  # each with its bubblewrap

    @property
    def handed_in(self) -> int:
        return len(self.standings) + len(self.unread)

    @property
    def exercises(self) -> list[str]:
        """In the order of the notebook."""
        order = {name: place for place, name in enumerate(self.guides)}
        return sorted(self.points, key=lambda name: (order.get(name, len(order)), name))


def survey_unit(directory: ClassDirectory, unit: Unit, gradebook: Gradebook, everyone: Mapping[str, str]) -> Survey:
    """Read every result of a unit; `everyone` is the whole class, by id."""
    released = read_notebook(directory.released(unit).read_bytes())
    survey = Survey(unit, read_guides(released))
    grades = read_grades(gradebook, unit)
    for student in recorded_students(directory, unit):
        try:
            examined = read_examined(student, open_record(directory, unit, student))
            _add(survey, examined, grades.get(student, Grades()))
        except Damaged as problem:
            survey.unread[student] = f"{problem}: grade the unit again"
    known = {standing.student for standing in survey.standings} | survey.unread.keys()
    for student in directory.students(unit):
        if student not in known:
            survey.unread[student] = _why_no_result(directory, unit, student, released)
    survey.absent = sorted(everyone.keys() - known - survey.unread.keys())
    return survey


def _add(survey: Survey, examined: Examined, grades: Grades) -> None:
    scores: dict[str, float] = {}
    stopped_at = None
    for name, verdict in examined.verdicts.items():
        if verdict is None:
            continue
        scores[name], survey.points[name] = verdict.score, verdict.points
        if not verdict.tried:
            survey.untried[name] += 1
        elif verdict.score < verdict.points:
            mistakes = misunderstood(name, verdict)
            survey.mistakes.update((name, mistake) for mistake in mistakes)
            survey.unnamed[name] += not mistakes
            if stopped_at is None:
                stopped_at = name, without_paths(named_diagnosis(verdict) or verdict.diagnosis or "").split("\n")[0]
    waits = tuple(name for name, cell in grades.cells.items() if cell.waits)
    for name, cell in grades.cells.items():
        survey.points[name] = cell.points
        if cell.waits and not cell.by_person:
            scores.pop(name, None)
        else:
            scores[name] = cell.score
    possible = sum(survey.points[name] for name in scores)
    earned = max(0.0, sum(scores.values()) - grades.penalty)
    survey.sandboxes[examined.sandbox or NOT_NOTED, examined.bubblewrap] += 1
    survey.standings.append(
        Standing(
            student=examined.student,
            share=earned / possible if possible else 0.0,
            scores=scores,
            waits=waits,
            ungraded=tuple(name for name, verdict in examined.verdicts.items() if verdict is None),
            tried=sum(verdict is not None and verdict.tried for verdict in examined.verdicts.values()),
            repairs=tuple(examined.repairs),
            problems=tuple(without_paths(problem) for problem in examined.problems),
            seconds=examined.seconds,
            stopped_at=stopped_at,
        )
    )


def _why_no_result(directory: ClassDirectory, unit: Unit, student: str, released: object) -> str:
    try:
        rebuild(read_notebook(directory.submission(student, unit).read_bytes()), released)
    except Rejected as problem:
        return str(problem)
    except OSError:
        return f"{unit.notebook.name} is missing or cannot be read"
    return "it has not been graded yet: grade the unit"
