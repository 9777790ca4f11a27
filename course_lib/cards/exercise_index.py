"""Progress in a unit: each exercise with its points and the outcome of its visible check."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from course_lib.cards.card_types import IndexedUnit
from course_lib.cards.session_outcomes import Outcome

LIST = Path(__file__).parent / "exercises.json"


class ExerciseKind(StrEnum):
    """How an exercise is answered: its kind on cards and in the index."""

    CODE = "code"
    MODULE = "module"
    TRAINED_MODEL = "trained"
    SHAPES = "shapes"
    CHOICE = "choose"
    COUNTEREXAMPLE = "counterexample"
    DERIVATION = "ladder"
    EXPERIMENT = "experiment"
    BUG_HUNT = "student tests"
    EXPLANATION = "explain"

    @property
    def label(self) -> str:
        """The word that notebooks and the syllabus use."""
        return _LABELS.get(self, self.value)


_LABELS = {
    ExerciseKind.MODULE: "code",
    ExerciseKind.TRAINED_MODEL: "code",
    ExerciseKind.DERIVATION: "derivation",
    ExerciseKind.BUG_HUNT: "bug hunt",
}


@dataclass(frozen=True)
class Standing:
    """One exercise; `outcome` is None if it was not checked, `says` puts it in words."""

    exercise: str
    points: float | int
    outcome: Outcome | None
    says: str
    by_person: bool = False


@cache
def exercises() -> dict[str, IndexedUnit]:
    """Units by number: the title, and the exercises in order with their points and kinds. Made by `course build`."""
    return json.loads(LIST.read_text("utf-8"))


def hint_number(exercise: str, title: str) -> int | None:
    """The number of a hint in the notebook, by its title."""
    for unit in exercises().values():
        for entry in unit["exercises"]:
            if entry["name"] == exercise and title in entry["hints"]:
                return entry["hints"].index(title) + 1
    return None


def unit_of(names: Sequence[str]) -> str | None:
    """The unit that most of these exercises belong to, or None."""
    shared = {
        number: sum(exercise["name"] in names for exercise in unit["exercises"]) for number, unit in exercises().items()
    }
    best = max(shared, key=lambda number: shared[number])
    return best if shared[best] else None


def standing(unit: str, outcomes: Mapping[str, Outcome]) -> list[Standing]:
    """A line for each exercise of a unit, in order."""
    lines = []
    for exercise in exercises()[unit]["exercises"]:
        name, by_person = exercise["name"], exercise["kind"] == ExerciseKind.EXPLANATION
        outcome = None if by_person else outcomes.get(name)
        lines.append(Standing(name, exercise["points"], outcome, _says(outcome, by_person), by_person))
    return lines


def summary(lines: Sequence[Standing]) -> str:
    """24 points: checks pass · 9: answered, graded later · 3: ✗ · 4: graded by a person · 12: open"""
    points = dict.fromkeys((*_GROUPS.values(), BY_PERSON, OPEN), 0.0)
    for line in lines:
        points[_group(line)] += line.points
    shown = [f"{number:g}: {group}" for group, number in points.items() if number or group == PASSING]
    return " · ".join(shown).replace(":", " points:", 1)


PASSING, OPEN, BY_PERSON = "checks pass", "open", "graded by a person"
_GROUPS = {Outcome.PASSES: PASSING, Outcome.ANSWERED: Outcome.ANSWERED.value, Outcome.FAILS: Outcome.FAILS.sign}


def _group(line: Standing) -> str:
    return BY_PERSON if line.by_person else _GROUPS.get(line.outcome or Outcome.NOT_TRIED, OPEN)


def _says(outcome: Outcome | None, by_person: bool) -> str:
    if by_person:
        return "a person reads it"
    return f"{outcome.sign} {outcome.value}".strip() if outcome else "not checked yet"
