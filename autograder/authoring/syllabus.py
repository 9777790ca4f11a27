"""The syllabus as data: the questions of the teaching sources, the units assigned to each, and those that answer it."""

from collections.abc import Iterator
from dataclasses import dataclass

from autograder.course.units import Unit, all_units, written_units
from autograder.exam_types import (
    ChooseExam,
    CodeExam,
    CounterexampleExam,
    ExperimentExam,
    LadderExam,
    ModuleExam,
    ShapesExam,
    StudentTestsExam,
    TrainedExam,
)
from autograder.exam_types.exam import Exam
from autograder.exams import UNITS
from course_lib.cards.exercise_index import ExerciseKind

# An id is the letter of a teaching source and the number of one of its questions.
SOURCES = {
    "A": "A1 A2 A3 A4 A5 A6 A7 A8 A9 A10",
    "B": "Bt1 Bt2 Bt3 Bt4 Bt5 Bt6 Bt7 Bt8 Bt9 Bt10 Bt11 Bc1 Bc2 Bc3 Bc4",
    "C": "C1 C2 C3 C4 C5 C6 C7",
    "D": "D1.1a D1.1b D1.1c D1.1d D1.1e D1.1f D1.1g D1.2a D1.2b D1.3a D1.3b D1.3c D1.3d D1.3e "
    "D1.4a D1.4b D1.4c D1.4d D1.4e D1.5a D1.5b D1.5c D1.5d",
    "E": "E1a E1b E1c E2a E2b E2c E3a E3b E3c E4a E4b E4c E4d",
}
SOURCE_IDS = tuple(" ".join(SOURCES.values()).split())

# Sections of a source that explain without asking: an exercise may name them, but no unit has to.
SECTIONS = ("B plot", "B relative", "B stacks", "B overview", "B seq2seq", "C architecture")

# What each unit must cover. An id may be assigned to several.
ASSIGNED = {
    "00": "C1 C2 C3",
    "01": "A2 A5 A7 Bt2 Bt4 Bc1 C6 D1.1a E1a E1b E1c E3a E3b E3c",
    "02": "Bt3 Bt11 D1.1b D1.1c D1.1d D1.1e D1.1f D1.1g",
    "03": "A1 Bt5 Bc3 D1.3b E4a",
    "04": "A2 A4 Bt7 Bc2 C4 D1.2a D1.2b D1.3a D1.3c D1.3d D1.4c",
    "05": "A3 A6 Bt6 Bt10 Bc4 C5 D1.3e D1.4d D1.4e E2a E2b E2c E4c E4d",
    "06": "A8 A9 Bt1 Bt8 Bt9 D1.4a",
    "07": "A9 A10 C7 D1.4b E4b",
    "08": "D1.5a D1.5b D1.5c D1.5d",
}

KINDS: dict[type[Exam], ExerciseKind] = {
    ChooseExam: ExerciseKind.CHOICE,
    CodeExam: ExerciseKind.CODE,
    CounterexampleExam: ExerciseKind.COUNTEREXAMPLE,
    ExperimentExam: ExerciseKind.EXPERIMENT,
    LadderExam: ExerciseKind.DERIVATION,
    ModuleExam: ExerciseKind.MODULE,
    ShapesExam: ExerciseKind.SHAPES,
    StudentTestsExam: ExerciseKind.BUG_HUNT,
    TrainedExam: ExerciseKind.TRAINED_MODEL,
}


@dataclass(frozen=True)
class Exercise:
    """An exercise that covers something."""

    unit: Unit
    name: str
    kind: str


@dataclass(frozen=True)
class Coverage:
    """One id, the exercises that cover it, and the assigned units without such an exercise.

    Units in `waiting` are not written yet; those in `lacking` are written and should have one.
    """

    id: str
    exercises: tuple[Exercise, ...]
    waiting: tuple[Unit, ...]
    lacking: tuple[Unit, ...]


def coverage() -> list[Coverage]:
    """Every id of the syllabus, in order."""
    claims = list(covered_ids())
    return [
        _coverage(source_id, [exercise for exercise, ids in claims if source_id in ids]) for source_id in SOURCE_IDS
    ]


def covered_ids() -> Iterator[tuple[Exercise, tuple[str, ...]]]:
    """Each exercise of the written units with the ids it covers: exams first, then explanations."""
    for unit in written_units():
        for exam in UNITS[unit.id]:
            yield Exercise(unit, exam.exercise, exam_kind(exam).label), tuple(exam.covers)
        for name, ids in unit.explains.items():
            yield Exercise(unit, name, ExerciseKind.EXPLANATION.label), tuple(ids)


def exam_kind(exam: Exam) -> ExerciseKind:
    return next(kind for exam_type, kind in KINDS.items() if isinstance(exam, exam_type))


def _coverage(source_id: str, exercises: list[Exercise]) -> Coverage:
    covering = {exercise.unit for exercise in exercises}
    without = [unit for unit in all_units() if source_id in ASSIGNED[unit.id].split() and unit not in covering]
    return Coverage(
        source_id,
        tuple(exercises),
        waiting=tuple(unit for unit in without if not unit.written),
        lacking=tuple(unit for unit in without if unit.written),
    )
