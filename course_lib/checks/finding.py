"""What an examination finds wrong with an answer, as an exception."""

from collections.abc import Callable, Sequence
from functools import cached_property

from course_lib.cards.observed import Kind, Mistake, Observed
from course_lib.checks.evidence import Evidence


class Finding(Exception):
    """One thing that is wrong; `share` of the criterion's points is earned all the same.

    `mistakes` are the known mistakes behind it, several if they were made at once, where that is certain; `evidence` is
    for `diagnoses` to judge; `compared` is (name, got, expected) where a picture may show both.
    """

    def __init__(
        self,
        got: str,
        expected: str = "",
        detail: str = "",
        *,
        where: str = "",
        kind: Kind = Kind.WRONG,
        line: str = "",
        error: str = "",
        share: float = 0.0,
        mistakes: Sequence[Mistake] = (),
        weigh: Callable[[], Evidence] = Evidence,
        compared: tuple[str, object, object] | None = None,
    ):
        self.observed = Observed(got, expected, detail, where, kind, line, error)
        super().__init__(str(self.observed))
        self.share = share
        self.mistakes = tuple(mistakes)
        self._weigh = weigh
        self.compared = compared

    def explained(self, mistakes: Sequence[Mistake]) -> "Finding":
        """The same finding with its cause."""
        return finding_of(self.observed, share=self.share, mistakes=mistakes, compared=self.compared)

    def weighed(self, weigh: Callable[[], Evidence], compared: tuple[str, object, object] | None = None) -> "Finding":
        """The same finding with what speaks for its cause, found out when somebody asks."""
        return finding_of(self.observed, share=self.share, weigh=weigh, compared=compared)

    @cached_property
    def evidence(self) -> Evidence:
        return self._weigh()


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
    weigh: Callable[[], Evidence] = Evidence,
    compared: tuple[str, object, object] | None = None,
) -> Finding:
    """The finding with these fields."""
    if observed.kind is Kind.NOT_WRITTEN:
        return NotWritten(observed.got)
    return Finding(**vars(observed), share=share, mistakes=mistakes, weigh=weigh, compared=compared)
