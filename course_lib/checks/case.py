"""One question to a piece of code: arguments, how to observe it, and what was expected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from torch import Tensor

from course_lib.checks.calling import OBSERVERS, Outputs
from course_lib.checks.comparing import agree, compare
from course_lib.checks.finding import Finding, NotWritten
from course_lib.checks.forbidden import forbidding
from course_lib.checks.properties import PROPERTIES


@dataclass(frozen=True)
class Case:
    """`misconceptions` maps a sentence for the student to the outputs that mistake gives on these arguments."""

    exercise: str
    outputs: tuple[str, ...]
    arguments: Mapping[str, object]
    expected: Outputs
    misconceptions: Callable[[], Mapping[str, Outputs]]
    observe: str = "values"
    properties: Mapping[str, str] = field(default_factory=dict)
    forbidden: Sequence[str] = ()

    def examine(self, answer: object) -> None:
        """Raise a Finding, with a diagnosis where the outputs match a misconception."""
        with forbidding(self.exercise, answer, self.forbidden):
            got = OBSERVERS[self.observe](self.exercise, answer, self.arguments, self.outputs)
        try:
            self._compare(got)
        except NotWritten:
            raise
        except Finding as finding:
            raise Finding(str(finding), finding.share, self._diagnosis(got)) from None

    def _compare(self, got: Outputs) -> None:
        for name in self.properties.keys() & self.expected.keys():
            if isinstance(got[name], Tensor) and got[name].shape == self.expected[name].shape:
                PROPERTIES[self.properties[name]](name, got[name])
        for name, want in self.expected.items():
            compare(name, got[name], want)

    def _diagnosis(self, got: Outputs) -> str | None:
        for sentence, outputs in self.misconceptions().items():
            if outputs.keys() == got.keys() and all(agree(got[name], outputs[name]) for name in outputs):
                return sentence
        return None
