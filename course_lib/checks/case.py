"""One question to a piece of code: arguments, how to observe it, and what was expected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from torch import Tensor, nn

from course_lib.checks.answer_forms.weight_transfer import Weight, input_dtype, prepared
from course_lib.checks.compare import compare
from course_lib.checks.evidence import Evidence, Mistakes, Observation
from course_lib.checks.finding import Finding
from course_lib.checks.fingerprints import (
    Comparison,
    Known,
    fingerprints_of_finding,
    fingerprints_of_outputs,
    would_pass,
)
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.properties import PROPERTIES
from course_lib.checks.question import Outputs, Question
from course_lib.checks.responses import different_response


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
    responses: Callable[[], Sequence[str]] = tuple  # of the reference to other arguments

    def examine(self, answer: object, weights: Sequence[Weight] = ()) -> None:
        """Raise a Finding, with evidence of what may be behind it, unless the answer gives what is expected."""
        question = Question(self.exercise, answer, self.arguments, self.outputs, self.forbidden)
        try:
            got = OBSERVERS[self.observe](question)
        except Finding as finding:
            raise finding.weighed(partial(self._evidence_of, finding)) from None
        for look in (self._require_property, compare):
            for name, want in self.expected.items():
                if name not in got:
                    continue  # another criterion asks whether there is any
                try:
                    look(name, got[name], want)
                except Finding as finding:
                    raise finding.weighed(
                        partial(self._evidence, question, got, weights), (name, got[name], want)
                    ) from None

    def examine_module(self, answer: object, sizes: Sequence[object], weights: Sequence[Weight] | None) -> nn.Module:
        """Examine and return answer(*sizes) with these weights; None leaves it as its constructor made it."""
        dtype = input_dtype(self.arguments.values())
        try:
            module = prepared(self.exercise, answer, sizes, weights, dtype, self.forbidden)
        except Finding as finding:
            raise finding.weighed(partial(self._evidence_of, finding)) from None
        self.examine(module, weights or ())
        return module

    def would_pass(self, mistakes: Mistakes) -> bool:
        """Whether an answer with these mistakes is not known to give anything wrong here."""
        mine = (known.fingerprints for known in self.known() if known.mistakes == mistakes)
        return all(would_pass(prints, self._right) for prints in mine)

    def _evidence_of(self, finding: Finding) -> Evidence:
        """Of an answer that gave no outputs."""
        return Comparison(self.known(), fingerprints_of_finding(finding.observed), self._right, self.arguments)

    def _evidence(self, question: Question, got: Outputs, weights: Sequence[Weight]) -> Evidence:
        parts = {weight.path: weight.value for weight in weights}
        respond = partial(self._different_response, question)
        observation = Observation(self.observe, got, self.expected, parts, respond)
        return Comparison(self.known(), fingerprints_of_outputs(got), self._right, self.arguments, observation)

    def _different_response(self, question: Question) -> Mistakes:
        return different_response(question, self.responses())

    @property
    def _right(self) -> dict[str, list]:
        return fingerprints_of_outputs(self.expected)

    def _require_property(self, name: str, got: object, want: object) -> None:
        """A property that fails says more than a number, so properties come first."""
        if name in self.properties and type(got) is type(want) is Tensor and got.shape == want.shape:
            PROPERTIES[self.properties[name]](name, got)
