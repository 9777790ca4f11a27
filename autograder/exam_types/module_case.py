"""One question to a module: sizes, inputs and weights, and what the reference makes of them."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from torch import nn

from autograder.exam_types.case_cards import case_card, encode_all, expected_responses, known_answers
from autograder.exam_types.variations import is_judgeable, with_a_size_of_one, without_an_optional
from course_lib.checks import Finding
from course_lib.checks.answer_forms.weight_transfer import Weight, input_dtype, prepared
from course_lib.checks.case import Case
from course_lib.checks.evidence import Mistakes
from course_lib.checks.fingerprints import Known
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Outputs, Question
from course_lib.checks.variation import examine_second_call, examine_variation


@dataclass(frozen=True, kw_only=True)
class ModuleCase:
    """`weights` of None leaves a module as its constructor made it.

    Where it is `resized`, inputs with sizes of one are tried too. `learns` names an observer of the gradients of its
    parameters, or none.
    """

    exercise: str
    reference: type[nn.Module]
    sizes: Sequence[object]
    inputs: Sequence[object]
    weights: Sequence[Weight] | None
    observe: str
    outputs: Sequence[str]
    properties: Mapping[str, str] = field(default_factory=dict)
    forbidden: Sequence[str] = ()
    known: Sequence[tuple[Mistakes, object]] = ()
    resized: bool = False
    learns: str = ""

    def examine(self, answer: object) -> None:
        """Raise a Finding unless the answer, with the same weights, gives what the reference gives.

        The variations ask the same module again, so that what it keeps of an earlier call shows.
        """
        module = self._case.examine_module(answer, self.sizes, self.weights)
        anew = partial(
            prepared, self.exercise, answer, self.sizes, self.weights, input_dtype(self.inputs), self.forbidden
        )
        for variation in self._variations:
            examine_variation(variation, module, self._case, anew)
        examine_second_call(self._variations, self._case, anew)

    def card(self) -> dict:
        weights = None if self.weights is None else [encode_all(vars(weight)) for weight in self.weights]
        return {"sizes": list(self.sizes), "weights": weights} | case_card(self._case, self._variations)

    @cached_property
    def _variations(self) -> list[Case]:
        others = [*with_a_size_of_one(self.inputs, self.sizes)]
        without = without_an_optional(self.reference.forward, self._case.arguments)
        others += (list(arguments.values()) for arguments in without)
        asked = ("gradient values", self.learns) if self.learns else ()
        varied = [replace(self, inputs=inputs) for inputs in others if self.resized]
        varied += [replace(self, observe=observe) for observe in asked]
        return [one._case for one in varied if one._can_be_asked()]

    def _can_be_asked(self) -> bool:
        try:
            return is_judgeable(self._case.expected)
        except Finding:
            return False  # the reference refuses these sizes

    @cached_property
    def _case(self) -> Case:
        names = list(inspect.signature(self.reference.forward).parameters)[1:]
        arguments = dict(zip(names, self.inputs, strict=False))
        return Case(
            exercise=self.exercise,
            outputs=tuple(self.outputs),
            arguments=arguments,
            expected=self._observe(self.reference, arguments),
            known=lambda: self._fingerprints,
            observe=self.observe,
            properties=self.properties,
            forbidden=self.forbidden,
            responses=lambda: self._responses,
        )

    @cached_property
    def _responses(self) -> list[str]:
        return expected_responses(self.observe, self._question(self.reference, self._case.arguments))

    @cached_property
    def _fingerprints(self) -> Known:
        return known_answers(self.known, lambda answer: self._observe(answer, self._case.arguments))

    def _observe(self, answer: object, arguments: Mapping[str, object]) -> Outputs:
        return OBSERVERS[self.observe](self._question(answer, arguments))

    def _question(self, answer: object, arguments: Mapping[str, object]) -> Question:
        module = prepared(self.exercise, answer, self.sizes, self.weights, input_dtype(self.inputs))
        return Question(self.exercise, module, arguments, self.outputs)
