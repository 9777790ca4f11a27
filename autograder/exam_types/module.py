"""Module: the answer is an nn.Module class, given the exam's weights and compared with the reference's outputs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from torch import Tensor, nn

from autograder.exam_types.case_cards import as_kept
from autograder.exam_types.draw import Draw
from autograder.exam_types.error_criterion import RefusalCriterion
from autograder.exam_types.exam import Criterion, Exam, derive
from autograder.exam_types.module_case import ModuleCase
from course_lib.cards.observed import Observed
from course_lib.checks import Finding
from course_lib.checks.answer_forms.weight_transfer import Weight, construct, weights_of
from course_lib.checks.evidence import Evidence
from course_lib.checks.fingerprints import Fingerprints, fingerprints_of_finding

CARD_DECIMALS = 2
WEIGHT_DECIMALS = 3
MOST_REMEMBERED = 300


@dataclass(frozen=True)
class ModuleCriterion(Criterion):
    """`draw` makes the constructor's arguments and the inputs; `fresh` asks the module as its constructor left it."""

    draw: Callable[[Draw], tuple[Sequence[object], Sequence[object]]]
    observe: str = "values"
    fresh: bool = False
    visible: bool = True


@dataclass(frozen=True, kw_only=True)
class ModuleExam(Exam[ModuleCriterion | RefusalCriterion]):
    """`parts` are the paths printed in the contract; `properties` are tried before the values are compared."""

    module: type[nn.Module]
    outputs: Sequence[str]
    parts: Sequence[str] = ()
    properties: Mapping[str, str] = field(default_factory=dict)
    forbidden: Sequence[str] = ()
    _cases: dict[tuple[str, int], ModuleCase] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def reference(self) -> type[nn.Module]:
        return self.module

    def examine(self, answer: object, criterion: ModuleCriterion | RefusalCriterion, draw: Draw) -> None:
        if isinstance(criterion, RefusalCriterion):
            self._refuse(answer, criterion.refusal(self.exercise, draw).examine)
        else:
            self._remembered_case(criterion, draw).examine(answer)

    def card(self) -> dict:
        visible = [c for c in self.criteria if isinstance(c, ModuleCriterion) and c.visible]
        return {
            "kind": "module",
            "outputs": list(self.outputs),
            "properties": dict(self.properties),
            "forbidden": list(self.forbidden),
            "cases": [self._card_case(criterion) for criterion in visible],
            "refusals": [
                criterion.card(self.exercise, self._card_draw(criterion))
                for criterion in self.criteria
                if isinstance(criterion, RefusalCriterion)
            ],
        }

    def _refuse(self, answer: object, ask: Callable[[object], None]) -> None:
        try:
            ask(answer)
        except Finding as finding:
            raise finding.weighed(partial(self._same_refusals, ask, finding.observed)) from None

    def _same_refusals(self, ask: Callable[[object], None], observed: Observed) -> Evidence:
        found = fingerprints_of_finding(observed)
        same = (self.mistake(known) for known in self.misconceptions if _found(ask, known.answer) == found)
        return Evidence([(mistake,) for mistake in dict.fromkeys(same)])

    def _remembered_case(self, criterion: ModuleCriterion, draw: Draw) -> ModuleCase:
        """The same case for the same seed: the known mistakes need to be asked once, however many answers fail."""
        key = criterion.name, draw.seed
        if key not in self._cases:
            while len(self._cases) >= MOST_REMEMBERED:
                del self._cases[next(iter(self._cases))]
            self._cases[key] = self._case(criterion, draw)
        return self._cases[key]

    def _case(self, criterion: ModuleCriterion, draw: Draw) -> ModuleCase:
        sizes, inputs = criterion.draw(draw)
        return ModuleCase(
            exercise=self.exercise,
            reference=self.module,
            sizes=sizes,
            inputs=inputs,
            weights=None if criterion.fresh else self._weights(sizes, draw),
            observe=criterion.observe,
            outputs=self.outputs,
            properties=self.properties,
            forbidden=self.forbidden,
            known=list(self.known()),
            resized=self._is_main(criterion),
            learns=self._learning if self._is_main(criterion) else "",
        )

    @property
    def _learning(self) -> str:
        """What is asked of the gradients of parameters: a module that is cut off as a whole pays for it once."""
        asked = (criterion for criterion in self.criteria if isinstance(criterion, ModuleCriterion))
        return "partial learning" if any(c.observe == "gradients" for c in asked) else "learning"

    def _is_main(self, criterion: ModuleCriterion) -> bool:
        return criterion.observe == "values" and not criterion.side and not criterion.fresh

    def _weights(self, sizes: Sequence[object], draw: Draw) -> list[Weight]:
        """Numbers away from every start, of a size that keeps scores unsaturated."""

        def value(weight: Weight) -> Tensor:
            shape = weight.value.shape
            noise = draw.normal(shape.numel()).reshape(shape) / (shape[-1] ** 0.5 if len(shape) > 1 else 2)
            return ((weight.start or 0.0) + noise).round(decimals=WEIGHT_DECIMALS)

        module = construct(self.exercise, self.module, sizes)
        return [replace(weight, value=value(weight)) for weight in weights_of(module, self.parts)]

    def _card_case(self, criterion: ModuleCriterion) -> dict:
        case = self._case(criterion, self._card_draw(criterion))
        return {"name": criterion.name} | replace(case, inputs=as_kept(case.inputs)).card()

    def _card_draw(self, criterion: Criterion) -> Draw:
        return Draw(derive(0, "card", self.exercise, criterion.name), decimals=CARD_DECIMALS)


def _found(ask: Callable[[object], None], answer: object) -> Fingerprints | None:
    try:
        ask(answer)
    except Finding as finding:
        return fingerprints_of_finding(finding.observed)
    return None
