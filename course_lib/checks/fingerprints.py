"""Fingerprints: a few numbers by which what came is known as what a certain mistake gives."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from course_lib.cards.observed import Observed
from course_lib.checks.compare import fingerprint, same_fingerprint
from course_lib.checks.evidence import Evidence, Mistakes, Observation
from course_lib.checks.question import Outputs

Fingerprints = dict[str, list]


class KnownAnswer:
    """An answer with known mistakes; what it gives is found out when somebody asks."""

    def __init__(self, mistakes: Mistakes, observe: Callable[[], Fingerprints]):
        self.mistakes = mistakes
        self._observe = observe

    @cached_property
    def fingerprints(self) -> Fingerprints:
        return self._observe()


Known = Sequence[KnownAnswer]


def fingerprints_of_outputs(outputs: Outputs) -> Fingerprints:
    return {name: fingerprint(value) for name, value in outputs.items()}


def fingerprints_of_finding(observed: Observed) -> Fingerprints:
    """An answer that gives no outputs is known by what is found instead; the quoted line is its author's own."""
    return {"": [observed.kind, observed.where, observed.got, observed.expected, observed.detail]}


def same_fingerprints(one: Fingerprints, other: Fingerprints) -> bool:
    return one.keys() == other.keys() and all(same_fingerprint(one[name], other[name]) for name in one)


def would_pass(prints: Fingerprints, right: Fingerprints) -> bool:
    """Whether nothing is wrong with an answer of these fingerprints; what it lacks, another criterion asks for."""
    return prints.keys() <= right.keys() and all(same_fingerprint(prints[name], right[name]) for name in prints)


class Comparison(Evidence):
    """What came beside what each known mistake gives; without an `observation` there were no outputs.

    A mistake that gives the right outputs here says nothing. One that gives neither these nor the right ones was not
    made, unless it is known in several forms of which another fits.
    """

    def __init__(
        self,
        known: Known,
        got: Fingerprints,
        right: Fingerprints,
        arguments: Mapping[str, object],
        observation: Observation | None = None,
    ) -> None:
        super().__init__()
        self.arguments = arguments
        self._known, self._got, self._right = known, got, right
        self.observation = observation

    @cached_property
    def fitting(self) -> Sequence[Mistakes]:
        return [mistakes for mistakes in dict.fromkeys(known.mistakes for known in self._known) if self.fits(mistakes)]

    def fits(self, mistakes: Mistakes) -> bool:
        prints = self._prints_of(mistakes)
        return any(same_fingerprints(each, self._got) for each in prints) and not self._is_silent(prints)

    def excludes(self, mistakes: Mistakes) -> bool:
        prints = self._prints_of(mistakes)
        if self.observation is None or self._is_silent(prints):
            return False  # errors differ in more than their causes, so they exclude nothing
        comparable = [each for each in prints if each.keys() == self._got.keys()]
        return bool(comparable) and not any(same_fingerprints(each, self._got) for each in comparable)

    def _prints_of(self, mistakes: Mistakes) -> list[Fingerprints]:
        return [known.fingerprints for known in self._known if known.mistakes == mistakes]

    def _is_silent(self, prints: Sequence[Fingerprints]) -> bool:
        return any(would_pass(each, self._right) for each in prints)
