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
# The visible check of these tests the form of the answer alone; that of the others tests values on a few inputs.
FORM_ALONE = (
    ExerciseKind.CHOICE,
    ExerciseKind.COUNTEREXAMPLE,
    ExerciseKind.EXPERIMENT,
    ExerciseKind.BUG_HUNT,
    ExerciseKind.TRAINED_MODEL,
)


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
        name, kind = exercise["name"], exercise["kind"]
        outcome = outcomes.get(name)
        lines.append(
            Standing(name, exercise["points"], outcome, _says(kind, outcome), kind == ExerciseKind.EXPLANATION)
        )
    return lines


def summary(lines: Sequence[Standing]) -> str:
    """The points behind checks that pass, those that a person gives, and those that are open."""
    total = sum(line.points for line in lines)
    passed = sum(line.points for line in lines if line.outcome is Outcome.PASSES)
    read = sum(line.points for line in lines if line.by_person)
    left = total - passed - read
    person = f", {read:g} are given by a person" if read else ""
    return f"{passed:g} of {total:g} points stand behind checks that pass{person}, {left:g} are open"


def _says(kind: str, outcome: Outcome | None) -> str:
    if kind == ExerciseKind.EXPLANATION:
        return "a person reads it"
    if outcome is None:
        return "not checked yet"
    if outcome is Outcome.PASSES:
        return "✓ passes: it can be read, grading tells if it is right" if kind in FORM_ALONE else "✓ passes"
    return f"✗ {outcome.value}" if outcome is Outcome.FAILS else outcome.value
