"""How one grade differs from another: which exercises and criteria moved, and what is said of them before and after."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from autograder.gradebook.results import ExerciseResult, Result


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

    def to_json(self) -> dict[str, object]:
        return asdict(self)


def change_of(before: Result | None, after: Result, parts: Sequence[str]) -> Change:
    """The difference between two results; there is none before the first grade."""
    earlier = None if before is None else before.final_score
    moved = [] if before is None or not before.exercises else moves(before, after)
    return Change(after.student, after.max_score, earlier, after.final_score, parts, moved)


def moves(before: Result, after: Result) -> list[Move]:
    """Every exercise whose points or status are not what they were, and the penalty for lateness."""
    moved = []
    earlier = {exercise.id: exercise for exercise in before.exercises}
    for new in after.exercises:
        old = earlier.pop(new.id, None)
        if old is None or (old.score, old.status) != (new.score, new.status):
            moved.append(Move(new.id, None if old is None else old.score, new.score, _reasons(old, new)))
    moved += [Move(name, old.score, None, ["no exercise of this unit any more"]) for name, old in earlier.items()]
    if before.late_penalty != after.late_penalty:
        moved.append(Move("late penalty", -before.late_penalty, -after.late_penalty))
    return moved


def _reasons(old: ExerciseResult | None, new: ExerciseResult) -> list[str]:
    """The criteria that moved, then what was said of the answer before, and what is said of it now."""
    before = {} if old is None else {criterion.name: criterion.score for criterion in old.criteria}
    after = {criterion.name: criterion.score for criterion in new.criteria}
    reasons = [
        f"{name}: {_points(before.get(name))} → {_points(after.get(name))}"
        for name in {**before, **after}
        if before.get(name) != after.get(name)
    ]
    status, diagnosis = (old.status, old.diagnosis) if old else ("not there", None)
    if status != new.status:
        reasons.append(f"{status} → {new.status}")
    if diagnosis != new.diagnosis:
        reasons += [f"{when}: {words}" for when, words in (("before", diagnosis), ("now", new.diagnosis)) if words]
    return reasons


def _points(score: float | None) -> str:
    return "–" if score is None else f"{score:g}"
