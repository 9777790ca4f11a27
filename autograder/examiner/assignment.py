"""Input and result of grading one submission, as plain data that can be pickled for other machines."""

from dataclasses import dataclass, field
from typing import Any

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


@dataclass(frozen=True)
class Graded:
    """The result of grading; `problems` are sentences for the instructor.

    `verdicts` has every graded cell, with None where no verdict was issued; `answered` has every answer, and whether it
    differs from the release; `answers` has a digest of each; `timed_out` says that a time limit was reached;
    `bubblewrap` has the version that made the sandbox, or "" without a sandbox.
    """

    notebook: str
    verdicts: dict[str, dict[str, Any] | None]
    answered: dict[str, bool]
    repairs: list[str]
    problems: list[str]
    seconds: float
    seed: str
    timed_out: bool = False
    answers: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    bubblewrap: str = ""

    def to_json(self) -> dict[str, Any]:
        """All fields but the notebook, which is a file of its own."""
        return {key: value for key, value in vars(self).items() if key != "notebook"}
