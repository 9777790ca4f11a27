"""What grading a submission takes and gives, as plain data that can be sent to other machines."""

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


@dataclass(frozen=True)
class Graded:
    """What became of a submission; `problems` are for the instructor's eye.

    `verdicts` has every graded cell, with None where the examiner issued no verdict; `answered` says of every answer
    whether it was touched, `answers` has a digest of each; `timed_out` says that a limit of time was reached;
    `bubblewrap` says which one made the sandbox, and is empty without one.
    """

    notebook: str
    verdicts: dict[str, dict | None]
    answered: dict[str, bool]
    repairs: list[str]
    problems: list[str]
    seconds: float
    seed: str
    timed_out: bool = False
    answers: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    bubblewrap: str = ""

    def to_json(self) -> dict:
        """Everything but the notebook."""
        return {key: value for key, value in vars(self).items() if key != "notebook"}
