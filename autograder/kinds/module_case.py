"""One question to a module: sizes, inputs and weights, and what the reference makes of them."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from torch import nn

from autograder.exam import Misconception
from course_lib.checks import Finding
from course_lib.checks.calling import OBSERVERS, Outputs
from course_lib.checks.cards import encode
from course_lib.checks.case import Case
from course_lib.checks.handing_over import Weight, input_dtype, prepared


@dataclass(frozen=True, kw_only=True)
class ModuleCase:
    """`weights` of None leaves a module as its constructor made it."""

    exercise: str
    reference: type[nn.Module]
    sizes: Sequence[object]
    inputs: Sequence[object]
    weights: Sequence[Weight] | None
    observe: str
    outputs: Sequence[str]
    properties: Mapping[str, str] = field(default_factory=dict)
    forbidden: Sequence[str] = ()
    misconceptions: Sequence[Misconception] = ()

    def examine(self, answer: object) -> None:
        """Raise a Finding unless the answer, with the same weights, gives what the reference gives."""
        self._case().examine(self._prepared(answer, self.forbidden))

    def card(self) -> dict:
        case = self._case()
        expected = _encode_all(case.expected)
        wrong = {text: _encode_all(values) for text, values in case.misconceptions().items()}
        return {
            "observe": self.observe,
            "sizes": list(self.sizes),
            "weights": None if self.weights is None else [_encode_all(vars(weight)) for weight in self.weights],
            "arguments": _encode_all(case.arguments),
            "expected": expected,
            "misconceptions": {text: values for text, values in wrong.items() if values != expected},
        }

    def _case(self) -> Case:
        names = list(inspect.signature(self.reference.forward).parameters)[1:]
        arguments = dict(zip(names, self.inputs, strict=False))
        return Case(
            exercise=self.exercise,
            outputs=tuple(self.outputs),
            arguments=arguments,
            expected=self._observe(self.reference, arguments),
            misconceptions=lambda: self._wrong_outputs(arguments),
            observe=self.observe,
            properties=self.properties,
            forbidden=self.forbidden,
        )

    def _prepared(self, answer: object, forbidden: Sequence[str] = ()) -> nn.Module:
        return prepared(self.exercise, answer, self.sizes, self.weights, input_dtype(self.inputs), forbidden)

    def _observe(self, answer: object, arguments: Mapping[str, object]) -> Outputs:
        return OBSERVERS[self.observe](self.exercise, self._prepared(answer), arguments, self.outputs)

    def _wrong_outputs(self, arguments: Mapping[str, object]) -> dict[str, Outputs]:
        outputs = {}
        for misconception in self.misconceptions:
            try:
                outputs[misconception.sentence] = self._observe(misconception.answer, arguments)
            except Finding:
                continue  # this mistake raises an error on these inputs, so it gives no outputs to match
        return outputs


def _encode_all(values: Mapping[str, object]) -> dict:
    return {name: encode(value) for name, value in values.items()}
