"""What grading a submission takes, as plain data that can be sent to other machines."""

from dataclasses import dataclass, field

from autograder.course.units import Unit


@dataclass(frozen=True)
class Limits:
    """Seconds for a cell, for one call of a student's function and for a whole submission."""

    cell: float = 60.0
    call: float = 20.0
    submission: float = 900.0


def limits_of(unit: Unit, seconds: float | None = None) -> Limits:
    """The limits of a unit, or of so many seconds for a cell."""
    cell = seconds or unit.seconds
    return Limits(cell=cell, call=min(cell, Limits.call))


@dataclass(frozen=True)
class Assignment:
    """What grading needs to know: the notebook as released, and as written, with its hidden tests."""

    unit: Unit
    released: bytes
    source: bytes
    sandbox: str = "bwrap"
    limits: Limits = field(default_factory=Limits)
