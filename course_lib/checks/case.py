"""One question to a piece of code: arguments, how to observe it, and what was expected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from course_lib.checks.compare import compare, fingerprint, same_fingerprint
from course_lib.checks.finding import Finding, Mistake
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.properties import PROPERTIES
from course_lib.checks.question import Outputs, Question

Fingerprints = dict[str, list]
Known = Sequence[tuple[tuple[Mistake, ...], Fingerprints]]


@dataclass(frozen=True)
class Case:
    """`known` are mistakes, several where they are made at once, with the fingerprints of what they give here."""

    exercise: str
    outputs: tuple[str, ...]
    arguments: Mapping[str, object]
    expected: Outputs
    known: Callable[[], Known]
    observe: str = "values"
    properties: Mapping[str, str] = field(default_factory=dict)
    forbidden: Sequence[str] = ()

    def examine(self, answer: object) -> None:
        """Raise a Finding, explained where the outputs are those of a known mistake."""
        question = Question(self.exercise, answer, self.arguments, self.outputs, self.forbidden)
        got = OBSERVERS[self.observe](question)
        for look in (self._require_property, compare):
            for name, want in self.expected.items():
                try:
                    look(name, got[name], want)
                except Finding as finding:
                    raise finding.explained(self._mistakes(got), (name, got[name], want)) from None

    def _require_property(self, name: str, got: object, want: object) -> None:
        """A property that fails says more than a number, so properties come first."""
        if name in self.properties and type(got) is type(want) is Tensor and got.shape == want.shape:
            PROPERTIES[self.properties[name]](name, got)

    def _mistakes(self, got: Outputs) -> tuple[Mistake, ...]:
        """The first of the known mistakes that give these outputs."""
        prints = {name: fingerprint(value) for name, value in got.items()}
        for mistakes, known in self.known():
            if known.keys() == prints.keys() and all(same_fingerprint(prints[n], known[n]) for n in prints):
                return mistakes
        return ()
