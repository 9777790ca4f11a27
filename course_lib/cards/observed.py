"""What an examination observes of an answer, and the known mistakes behind it: fields that are stored and counted."""

from dataclasses import dataclass, field
from enum import StrEnum


class Kind(StrEnum):
    """Why a criterion is not met."""

    WRONG = "wrong"
    RAISED = "raised"  # the student's code raised an exception
    NOT_WRITTEN = "not written"  # the answer is still the stub
    NOT_READABLE = "not readable"  # not of the form that the exercise asks for
    FORBIDDEN = "forbidden"
    MISJUDGED = "misjudged"  # statements of a choice: the finding itself gives the reasons
    STOPPED = "stopped"  # the cell or the process ended before there was an answer
    ALONE = "alone"  # a side criterion that is met while no main one is
    NOT_EXAMINED = "not examined"  # the examination itself failed


@dataclass(frozen=True)
class Observed:
    """`where` is an output, an argument or a function, `got` what it is or did; `detail` is what to look at, or
    what Python says; `line` is the line of the student's code that raised an exception, `error` the type of it."""

    got: str
    expected: str = ""
    detail: str = ""
    where: str = ""
    kind: Kind = Kind.WRONG
    line: str = ""
    error: str = ""

    def __str__(self) -> str:
        start = f"{self.where} {self.got}" if self.where else self.got
        expected = f", expected {self.expected}" if self.expected else ""
        line = f"\nin your line: {self.line}" if self.line else ""
        return f"{start}{expected}{f': {self.detail}' if self.detail else ''}{line}"


@dataclass(frozen=True)
class Mistake:
    """A known mistake: its id, "exercise/slug", a sentence for the student, and the title of the hint that helps.

    The same id is the same mistake, however its sentence was worded when it was found.
    """

    id: str
    says: str = field(compare=False)
    hint: str | None = field(default=None, compare=False)
