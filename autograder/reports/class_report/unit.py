"""What the report says about one unit: numbers, misconceptions, people, and what needs a person's eye."""

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.classroom.directory import ClassDirectory
from autograder.course.submitted_notebook import read_notebook
from autograder.errors import CourseError
from autograder.reports.class_report.class_results import ClassResults, StudentResult
from autograder.reports.class_report.misconceptions import Ranked, rank
from autograder.reports.class_report.similarity import ComparedLine, Pair, side_by_side, similar_pairs
from autograder.reports.class_report.statistics import ExerciseNumbers, Spread, exercise_numbers, spread
from autograder.reports.class_report.suspicious_code import reaches_for
from autograder.reports.student_answers import Answer, GradedNotebook, answers_in, read_graded_notebook

STUCK_BELOW = 0.4
SHOWN_EXERCISES = 3  # of a pair of similar submissions
MOST_FREQUENT = 10
LONGEST_SHOWN = 6_000  # characters of an answer


@dataclass(frozen=True)
class Reason:
    """One reason for a person to look, what to do about it, and whom it concerns, with details."""

    title: str
    advice: str
    cases: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Shown:
    """Two answers to an exercise, side by side."""

    exercise: str
    share: float
    left: Sequence[ComparedLine]
    right: Sequence[ComparedLine]


@dataclass(frozen=True)
class UnitReport:
    results: ClassResults
    spread: Spread | None
    exercises: Sequence[ExerciseNumbers]
    mistakes: Sequence[Ranked]
    waiting: Mapping[str, Sequence[str]]
    stuck: Sequence[StudentResult]
    blank: Sequence[str]
    reasons: Sequence[Reason]
    pairs: Sequence[tuple[Pair, Sequence[Shown]]]
    seconds: float
    median_seconds: float
    slowest: Sequence[StudentResult]

    @property
    def frequent(self) -> Sequence[Ranked]:
        """The mistakes worth a word to everybody: at most ten, of which several made each, or else the first few."""
        several = [one for one in self.mistakes if one.count > 1][:MOST_FREQUENT]
        return several or self.mistakes[:3]

    @property
    def needs_an_eye(self) -> int:
        return len({student for reason in self.reasons for student, _ in reason.cases})


def report_unit(directory: ClassDirectory, results: ClassResults) -> UnitReport:
    """Put together what the results and the notebooks of a unit say; of the notebooks, one at a time is in memory."""
    students = results.students
    waiting: dict[str, list[str]] = defaultdict(list)
    for one in students:
        for exercise in one.waits:
            if exercise not in one.ungraded:
                waiting[exercise].append(one.student)
    reading = _Reading(directory, results)
    pairs = similar_pairs(reading.answers(), reading.released)
    return UnitReport(
        results=results,
        spread=spread([one.share for one in students]),
        exercises=exercise_numbers(results),
        mistakes=rank(results.mistakes, results.guides, len(students)),
        waiting=waiting,
        stuck=sorted((s for s in students if s.tried and s.share < STUCK_BELOW), key=lambda s: (s.share, s.student)),
        blank=[one.student for one in students if not one.tried],
        reasons=[reason for reason in _reasons(results, reading) if reason.cases],
        pairs=[(pair, list(reading.shown(pair))) for pair in pairs],
        seconds=sum(one.seconds for one in students),
        median_seconds=statistics.median([one.seconds for one in students] or [0.0]),
        slowest=sorted(students, key=lambda one: -one.seconds)[:3],
    )


class _Reading:
    """The graded notebooks of a unit, read one after another."""

    def __init__(self, directory: ClassDirectory, results: ClassResults):
        self._directory, self._unit = directory, results.unit
        self._students = [one.student for one in results.students]
        released = read_notebook(directory.released(results.unit).read_bytes())
        self.released = answers_in(released)
        self._given = {cell.source for cell in released.cells}
        self.reaching: list[tuple[str, str]] = []

    def answers(self) -> Iterator[tuple[str, Mapping[str, Answer]]]:
        """The answers of each student; on the way, code that reaches beyond an answer is noted."""
        for student in self._students:
            notebook = self._read(student)
            if notebook is None:
                continue
            code = [answer.source for answer in notebook.answers.values() if not answer.prose] + list(notebook.own)
            if found := reaches_for(source for source in code if source not in self._given):
                named = ", ".join(f"{name} ({where})" for name, where in found.items())
                self.reaching.append((student, f"its code uses {named}"))
            yield student, notebook.answers

    def shown(self, pair: Pair) -> Iterator[Shown]:
        one, other = self._read(pair.one), self._read(pair.other)
        for alike in pair.exercises[:SHOWN_EXERCISES]:
            if one and other and alike.exercise in one.answers and alike.exercise in other.answers:
                left, right = (n.answers[alike.exercise].source[:LONGEST_SHOWN] for n in (one, other))
                yield Shown(alike.exercise, alike.share, *side_by_side(left, right))

    def _read(self, student: str) -> GradedNotebook | None:
        try:
            return read_graded_notebook(self._directory.autograded(student, self._unit))
        except (CourseError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None  # the result counts without the notebook


def _reasons(results: ClassResults, reading: _Reading) -> Iterator[Reason]:
    yield Reason(
        "Not graded",
        "Mend the file or ask for it again, then grade the unit.",
        list(results.unread.items()),
    )
    yield Reason(
        "Stopped by a limit, or ended its kernel",
        "The exercise concerned got no points, all others were graded. Read the cell that is named.",
        [(one.student, problem) for one in results.students for problem in one.problems],
    )
    yield Reason(
        "Reaches for more than an answer",
        "Nothing was gained by it: hidden tests and grades are out of reach. Read the code and judge the intention.",
        reading.reaching,
    )
    yield Reason(
        "Repaired before grading",
        "Cells were put back as released. Usually an accident; the student is told.",
        [(one.student, "; ".join(one.repairs)) for one in results.students if one.repairs],
    )
