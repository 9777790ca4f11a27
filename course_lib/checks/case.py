"""One question to a piece of code: arguments, how to observe it, and what was expected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from course_lib.checks.compare import compare
from course_lib.checks.evidence import Evidence
from course_lib.checks.finding import Finding
from course_lib.checks.fingerprints import Known, fingerprints_of_finding, fingerprints_of_outputs, weigh
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.properties import PROPERTIES
from course_lib.checks.question import Outputs, Question


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
        """Raise a Finding, with evidence of what may be behind it, unless the answer gives what is expected."""
        question = Question(self.exercise, answer, self.arguments, self.outputs, self.forbidden)
        try:
            got = OBSERVERS[self.observe](question)
        except Finding as finding:
            raise finding.on(self.evidence_of(finding)) from None
        for look in (self._require_property, compare):
            for name, want in self.expected.items():
                try:
                    look(name, got[name], want)
                except Finding as finding:
                    raise finding.on(self._evidence(got), (name, got[name], want)) from None

    def evidence_of(self, finding: Finding) -> Evidence:
        """Of an answer that gave no outputs."""
        return weigh(self.known(), fingerprints_of_finding(finding.observed), self._right)

    def _evidence(self, got: Outputs) -> Evidence:
        return weigh(self.known(), fingerprints_of_outputs(got), self._right, (self.observe, *got))

    @property
    def _right(self) -> dict[str, list]:
        return fingerprints_of_outputs(self.expected)

    def _require_property(self, name: str, got: object, want: object) -> None:
        """A property that fails says more than a number, so properties come first."""
        if name in self.properties and type(got) is type(want) is Tensor and got.shape == want.shape:
            PROPERTIES[self.properties[name]](name, got)
