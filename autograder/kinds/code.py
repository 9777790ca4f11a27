"""Code: the answer is a function, compared with the reference on inputs drawn for each criterion."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.draw import Draw
from autograder.exam import Criterion, Exam, derive
from course_lib.checks import Finding
from course_lib.checks.calling import OBSERVERS, Outputs
from course_lib.checks.cards import encode
from course_lib.checks.case import Case

CARD_DECIMALS = 2


@dataclass(frozen=True)
class CodeCriterion(Criterion):
    """`draw` makes the arguments in order; `observe` is what is looked at: see course_lib.checks.calling."""

    draw: Callable[[Draw], Sequence[object]]
    observe: str = "values"
    visible: bool = False


@dataclass(frozen=True, kw_only=True)
class CodeExam(Exam):
    """`outputs` names what the function returns; `properties` are tried before the values are compared."""

    function: Callable
    outputs: Sequence[str]
    criteria: Sequence[CodeCriterion]
    properties: Mapping[str, str] = field(default_factory=dict)
    forbidden: Sequence[str] = ()

    @property
    def reference(self) -> Callable:
        return self.function

    def examine(self, answer: object, criterion: CodeCriterion, draw: Draw) -> None:
        self._case(criterion, criterion.draw(draw)).examine(answer)

    def card(self) -> dict:
        visible = [criterion for criterion in self.criteria if criterion.visible]
        return {
            "kind": "code",
            "outputs": list(self.outputs),
            "properties": dict(self.properties),
            "forbidden": list(self.forbidden),
            "cases": [self._card_case(criterion) for criterion in visible],
        }

    def _case(self, criterion: CodeCriterion, values: Sequence[object]) -> Case:
        arguments = dict(zip(inspect.signature(self.function).parameters, values, strict=False))
        return Case(
            exercise=self.exercise,
            outputs=tuple(self.outputs),
            arguments=arguments,
            expected=self._observe(criterion, self.function, arguments),
            misconceptions=lambda: self._wrong_outputs(criterion, arguments),
            observe=criterion.observe,
            properties=self.properties,
            forbidden=self.forbidden,
        )

    def _observe(self, criterion: CodeCriterion, answer: Callable, arguments: Mapping[str, object]) -> Outputs:
        return OBSERVERS[criterion.observe](self.exercise, answer, arguments, self.outputs)

    def _wrong_outputs(self, criterion: CodeCriterion, arguments: Mapping[str, object]) -> dict[str, Outputs]:
        outputs = {}
        for misconception in self.misconceptions:
            try:
                outputs[misconception.sentence] = self._observe(criterion, misconception.answer, arguments)
            except Finding:
                continue  # this mistake raises an error on these inputs, so it gives no outputs to match
        return outputs

    def _card_case(self, criterion: CodeCriterion) -> dict:
        draw = Draw(derive(0, "card", self.exercise, criterion.name), decimals=CARD_DECIMALS)
        case = self._case(criterion, criterion.draw(draw))

        def encode_all(values: Mapping[str, object]) -> dict:
            return {name: encode(value) for name, value in values.items()}

        wrong = {text: encode_all(values) for text, values in case.misconceptions().items()}
        expected = encode_all(case.expected)
        return {
            "name": criterion.name,
            "observe": criterion.observe,
            "arguments": encode_all(case.arguments),
            "expected": expected,
            "misconceptions": {text: values for text, values in wrong.items() if values != expected},
        }
