"""What an examination finds wrong with an answer: fields that can be stored and counted, and the sentence they make."""

from collections.abc import Sequence
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
    NOT_EXAMINED = "not examined"  # the examination itself failed


@dataclass(frozen=True)
class Observed:
    """`where` is an output, an argument or a function, `got` what it is or did; `detail` is what to look at, or
    what Python says."""

    got: str
    expected: str = ""
    detail: str = ""
    where: str = ""
    kind: Kind = Kind.WRONG

    def __str__(self) -> str:
        start = f"{self.where} {self.got}" if self.where else self.got
        expected = f", expected {self.expected}" if self.expected else ""
        return f"{start}{expected}{f': {self.detail}' if self.detail else ''}"


@dataclass(frozen=True)
class Mistake:
    """A known mistake: its id, "exercise/slug", a sentence for the student, and the title of the hint that helps.

    The same id is the same mistake, however its sentence was worded when it was found.
    """

    id: str
    says: str = field(compare=False)
    hint: str | None = field(default=None, compare=False)


class Finding(Exception):
    """One thing that is wrong; `share` of the criterion's points is earned all the same.

    `mistakes` are the known mistakes behind it, several if they were made at once; `compared` is (name, got, expected)
    where a picture may show both.
    """

    def __init__(
        self,
        got: str,
        expected: str = "",
        detail: str = "",
        *,
        where: str = "",
        kind: Kind = Kind.WRONG,
        share: float = 0.0,
        mistakes: Sequence[Mistake] = (),
        compared: tuple[str, object, object] | None = None,
    ):
        self.observed = Observed(got, expected, detail, where, kind)
        super().__init__(str(self.observed))
        self.share = share
        self.mistakes = tuple(mistakes)
        self.compared = compared

    def explained(self, mistakes: Sequence[Mistake], compared: tuple[str, object, object] | None = None) -> "Finding":
        """The same finding with what is known of its cause."""
        return finding_of(self.observed, share=self.share, mistakes=mistakes, compared=compared)


class NotWritten(Finding, NotImplementedError):
    """The answer is still the stub."""

    def __init__(self, got: str):
        super().__init__(got, kind=Kind.NOT_WRITTEN)


class NotReadable(Finding):
    """The answer is not of the form that the exercise asks for."""

    def __init__(self, got: str, expected: str = "", detail: str = "", *, where: str = ""):
        super().__init__(got, expected, detail, where=where, kind=Kind.NOT_READABLE)


def finding_of(
    observed: Observed,
    share: float = 0.0,
    mistakes: Sequence[Mistake] = (),
    compared: tuple[str, object, object] | None = None,
) -> Finding:
    """The finding with these fields."""
    if observed.kind is Kind.NOT_WRITTEN:
        return NotWritten(observed.got)
    return Finding(**vars(observed), share=share, mistakes=mistakes, compared=compared)
