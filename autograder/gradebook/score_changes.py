"""How one grade differs from another: which exercises and criteria moved, and what is said of them before and after."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from autograder.gradebook.results import Result


@dataclass(frozen=True)
class Move:
    """An exercise, or the penalty for lateness, with its points before and after, and what explains the difference."""

    what: str
    before: float | None
    after: float | None
    reasons: Sequence[str] = ()


@dataclass(frozen=True)
class Change:
    """What a regrade would do to a submission; `parts` names what has changed since the grade that is recorded."""

    student: str
    max_score: float
    before: float | None
    after: float | None
    parts: Sequence[str] = ()
    moves: Sequence[Move] = field(default_factory=list)
    problem: str | None = None

    @property
    def moved(self) -> bool:
        return self.problem is None and self.before != self.after

    def to_json(self) -> dict:
        return asdict(self)


def change_of(before: Result | None, after: Result, parts: Sequence[str]) -> Change:
    """The difference between two results; there is none before the first grade."""
    earlier = None if before is None else before.final_score
    moved = [] if before is None or not before.exercises else moves(before.to_json(), after.to_json())
    return Change(after.student, after.max_score, earlier, after.final_score, parts, moved)


def moves(before: Mapping, after: Mapping) -> list[Move]:
    """Every exercise whose points or state are not what they were, and the penalty for lateness, of results as JSON."""
    found = []
    earlier = {exercise["id"]: exercise for exercise in before["exercises"]}
    for exercise in after["exercises"]:
        old = earlier.pop(exercise["id"], None)
        if old is None or (old["score"], old["status"]) != (exercise["score"], exercise["status"]):
            found.append(Move(exercise["id"], old and old["score"], exercise["score"], _reasons(old or {}, exercise)))
    found += [Move(name, old["score"], None, ["no exercise of this unit any more"]) for name, old in earlier.items()]
    old, new = (-(result.get("late_penalty") or 0.0) for result in (before, after))
    if old != new:
        found.append(Move("late penalty", old, new))
    return found


def _reasons(old: Mapping, new: Mapping) -> list[str]:
    """The criteria that moved, then what was said of the answer before, and what is said of it now."""
    before, after = (
        {criterion["name"]: criterion["score"] for criterion in exercise.get("criteria", ())} for exercise in (old, new)
    )
    reasons = [
        f"{name}: {_points(before.get(name))} → {_points(after.get(name))}"
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    ]
    if old.get("status") != new["status"]:
        reasons.append(f"{old.get('status', 'not there')} → {new['status']}")
    if old.get("diagnosis") != new["diagnosis"]:
        reasons += [
            f"{when}: {exercise['diagnosis']}"
            for when, exercise in (("before", old), ("now", new))
            if exercise.get("diagnosis")
        ]
    return reasons


def _points(score: float | None) -> str:
    return "–" if score is None else f"{score:g}"
