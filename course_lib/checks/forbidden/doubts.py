"""What could not be watched while an answer ran: for a person to judge, never a finding."""

from enum import StrEnum


class Doubt(StrEnum):
    PROCESSES = "processes"  # others of the notebook were alive, or ended meanwhile
    THREADS = "threads"  # others of the notebook were alive
    RECORDED = "recorded"  # a recorded or compiled graph ran, whose operators alone are seen


_noted: set[Doubt] = set()


def note_doubts(doubts: set[Doubt]) -> None:
    _noted.update(doubts)


def take_doubts() -> list[Doubt]:
    """Every doubt since the last time this was asked."""
    taken = sorted(_noted)
    _noted.clear()
    return taken
