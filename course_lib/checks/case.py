"""One question to a piece of code: arguments, how to observe it, and what was expected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from course_lib.checks.compare import compare, fingerprint, same_fingerprint
from course_lib.checks.finding import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.properties import PROPERTIES
from course_lib.checks.question import Outputs, Question

Fingerprints = dict[str, list]


@dataclass(frozen=True)
class Case:
    """`misconceptions` maps a sentence for the student to the fingerprints of what that mistake gives here."""

    exercise: str
    outputs: tuple[str, ...]
    arguments: Mapping[str, object]
    expected: Outputs
    misconceptions: Callable[[], Mapping[str, Fingerprints]]
    observe: str = "values"
    properties: Mapping[str, str] = field(default_factory=dict)
    forbidden: Sequence[str] = ()

    def examine(self, answer: object) -> None:
        """Raise a Finding, with a diagnosis where the outputs match a misconception."""
        question = Question(self.exercise, answer, self.arguments, self.outputs, self.forbidden)
        got = OBSERVERS[self.observe](question)
        for look in (self._require_property, compare):
            for name, want in self.expected.items():
                try:
                    look(name, got[name], want)
                except Finding as finding:
                    compared = (name, got[name], want)
                    raise Finding(str(finding), finding.share, self._diagnosis(got), compared) from None

    def _require_property(self, name: str, got: object, want: object) -> None:
        """A property that fails says more than a number, so properties come first."""
        if name in self.properties and type(got) is Tensor and got.shape == want.shape:
            PROPERTIES[self.properties[name]](name, got)

    def _diagnosis(self, got: Outputs) -> str | None:
        found = {name: fingerprint(value) for name, value in got.items()}
        for sentence, outputs in self.misconceptions().items():
            if outputs.keys() == found.keys() and all(same_fingerprint(found[n], outputs[n]) for n in found):
                return sentence
        return None
