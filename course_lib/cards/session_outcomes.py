"""What the visible checks have found in this session: the last outcome of each exercise."""

from enum import Enum


class Outcome(Enum):
    PASSES = "passes"
    FAILS = "does not pass yet"
    NOT_TRIED = "not tried"


_outcomes: dict[str, Outcome] = {}


def note(exercise: str, outcome: Outcome) -> None:
    """Remember an outcome until the kernel ends, or until the exercise is checked again."""
    _outcomes[exercise] = outcome


def outcomes() -> dict[str, Outcome]:
    """The last outcome of every exercise that was checked."""
    return dict(_outcomes)


def forget() -> None:
    """Begin anew, as a new kernel does."""
    _outcomes.clear()
