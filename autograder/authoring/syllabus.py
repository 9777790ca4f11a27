"""The syllabus as data: the questions that the course answers, the units that must answer each, and those that do."""

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

# Sections of a source that explain without asking: an exercise may name them, and no unit has to.
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

KINDS: dict[type[Exam], str] = {
    ChooseExam: "choose",
    CodeExam: "code",
    CounterexampleExam: "counterexample",
    ExperimentExam: "experiment",
    LadderExam: "derivation",
    ModuleExam: "code",
    ShapesExam: "shapes",
    StudentTestsExam: "bug hunt",
    TrainedExam: "code",
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

    `waiting` are not written yet; `lacking` are, and ought to have one.
    """

    id: str
    exercises: tuple[Exercise, ...]
    waiting: tuple[Unit, ...]
    lacking: tuple[Unit, ...]


def coverage() -> list[Coverage]:
    """Every id of the syllabus, in order."""
    claims = list(covered_ids())
    return [_coverage(one, [exercise for exercise, ids in claims if one in ids]) for one in SOURCE_IDS]


def covered_ids() -> Iterator[tuple[Exercise, tuple[str, ...]]]:
    """Each exercise of the written units with the ids it covers: exams first, then explanations."""
    for unit in written_units():
        for exam in UNITS[unit.id]:
            yield Exercise(unit, exam.exercise, exam_kind(exam)), tuple(exam.covers)
        for name, ids in unit.explains.items():
            yield Exercise(unit, name, "explain"), tuple(ids)


def exam_kind(exam: Exam) -> str:
    """The kind of an exercise, in the word of the syllabus."""
    return next(word for kind, word in KINDS.items() if isinstance(exam, kind))


def lacking_ids(unit: Unit) -> list[str]:
    """The ids that a unit must cover and does not."""
    covered = {one for exercise, ids in covered_ids() if exercise.unit == unit for one in ids}
    return [one for one in ASSIGNED[unit.id].split() if one not in covered]


def _coverage(one: str, exercises: list[Exercise]) -> Coverage:
    without = [
        unit
        for unit in all_units()
        if one in ASSIGNED[unit.id].split() and unit not in {exercise.unit for exercise in exercises}
    ]
    return Coverage(
        one,
        tuple(exercises),
        waiting=tuple(unit for unit in without if not unit.written),
        lacking=tuple(unit for unit in without if unit.written),
    )
