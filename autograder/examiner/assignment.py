"""What grading one submission takes, as plain data that can be pickled for other machines."""

from dataclasses import dataclass, field

from autograder.course.units import Unit


@dataclass(frozen=True)
class Limits:
    """Time limits in seconds: for a cell, for one call of a student's function, for a whole submission."""

    cell: float = 60.0
    call: float = 20.0
    submission: float = 900.0


def limits_of(unit: Unit, seconds: float | None = None) -> Limits:
    """The limits of a unit; `seconds` for a cell override the unit's."""
    cell = seconds or unit.seconds
    return Limits(cell=cell, call=min(cell, Limits.call))


@dataclass(frozen=True)
class Assignment:
    """A unit's notebook as released, and its source with the hidden tests."""

    unit: Unit
    released: bytes
    source: bytes
    sandbox: str = "bwrap"
    limits: Limits = field(default_factory=Limits)
