"""One question to a module: sizes, inputs and weights, and what the reference makes of them."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from torch import nn

from autograder.exam_types.case_cards import case_card, encode_all, known_answers
from autograder.exam_types.variations import (
    SHARE,
    examine_variation,
    is_judgeable,
    with_a_size_of_one,
    with_all_sizes_of_one,
)
from course_lib.cards.observed import Mistake
from course_lib.checks import Finding
from course_lib.checks.answer_forms.weight_transfer import Weight, input_dtype, prepared
from course_lib.checks.case import Case
from course_lib.checks.evidence import Mistakes
from course_lib.checks.finding import finding_of
from course_lib.checks.fingerprints import Known
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Outputs, Question

KEPT = "the same call was right on a new module"
STATE = Mistake(
    "relation/state kept from an earlier call",
    "Your module gives other outputs for the same inputs once it has been called with shorter ones: it keeps something "
    "of a call, such as a length, a mask or keys. Compute it anew in each call.",
)


@dataclass(frozen=True, kw_only=True)
class ModuleCase:
    """`weights` of None leaves a module as its constructor made it.

    Where it is `resized`, inputs with sizes of one are tried too; where it `learns`, the gradients of its parameters.
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
    learns: bool = False

    def examine(self, answer: object) -> None:
        """Raise a Finding unless the answer, with the same weights, gives what the reference gives.

        The variations ask the same module again, so that what it keeps of an earlier call shows.
        """
        module = self._case.examine_module(answer, self.sizes, self.weights)
        for variation in self._variations:
            examine_variation(variation, module, self._case)
        self._examine_again(answer)

    def _examine_again(self, answer: object) -> None:
        """Ask the usual inputs of a new module that was first called with the smallest, whose sizes it may keep."""
        if not self._smallest:
            return
        module = prepared(self.exercise, answer, self.sizes, self.weights, input_dtype(self.inputs), self.forbidden)
        examine_variation(self._smallest, module, self._case)
        try:
            self._case.examine(module)
        except Finding as finding:
            raise finding_of(replace(finding.observed, detail=KEPT), share=SHARE, mistakes=(STATE,)) from None

    @cached_property
    def _smallest(self) -> Case | None:
        smallest = replace(self, inputs=with_all_sizes_of_one(self.inputs, self.sizes))
        return smallest._case if self.resized and smallest._can_be_asked() else None

    def card(self) -> dict:
        weights = None if self.weights is None else [encode_all(vars(weight)) for weight in self.weights]
        return {"sizes": list(self.sizes), "weights": weights} | case_card(self._case)

    @cached_property
    def _variations(self) -> list[Case]:
        smaller = (replace(self, inputs=inputs) for inputs in with_a_size_of_one(self.inputs, self.sizes))
        asked = ("gradient values", "learning") if self.learns else ()
        varied = [*(smaller if self.resized else ()), *(replace(self, observe=observe) for observe in asked)]
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
        )

    @cached_property
    def _fingerprints(self) -> Known:
        return known_answers(self.known, lambda answer: self._observe(answer, self._case.arguments))

    def _observe(self, answer: object, arguments: Mapping[str, object]) -> Outputs:
        module = prepared(self.exercise, answer, self.sizes, self.weights, input_dtype(self.inputs))
        return OBSERVERS[self.observe](Question(self.exercise, module, arguments, self.outputs))
