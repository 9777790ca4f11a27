"""Outcomes of the visible checks in this kernel session: the last of each exercise, and failed tries of its parts."""

from collections import defaultdict
from enum import Enum


class Outcome(Enum):
    """What a check says of an answer or of one part of it; its value is how the progress panel puts it."""

    PASSES = "passes"
    ANSWERED = "answered, graded later"  # the check cannot judge it, and it never counts as passing
    FAILS = "does not pass yet"
    NOT_TRIED = "not tried"

    @property
    def sign(self) -> str:
        return _SIGNS.get(self, "")


_SIGNS = {Outcome.PASSES: "✓", Outcome.ANSWERED: "○", Outcome.FAILS: "✗"}
_outcomes: dict[str, Outcome] = {}
_failed: defaultdict[tuple[str, str], list[object]] = defaultdict(list)


def note(exercise: str, outcome: Outcome) -> None:
    """Keep an outcome until the kernel ends or the exercise is checked again."""
    _outcomes[exercise] = outcome


def outcomes() -> dict[str, Outcome]:
    """The last outcome of every exercise that was checked."""
    return dict(_outcomes)


def failed_tries(exercise: str, part: str, answer: object) -> int:
    """How many different answers to this part have failed, this one included: the same one again is no new try."""
    before = _failed[exercise, part]
    if answer not in before:
        before.append(answer)
    return len(before)


def forget() -> None:
    """Drop all outcomes and tries."""
    _outcomes.clear()
    _failed.clear()
