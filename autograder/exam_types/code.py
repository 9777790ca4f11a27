"""Code: the answer is a function, compared with the reference on inputs drawn for each criterion."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import combinations

from autograder.exam_types.case_cards import as_kept, case_card, expected_responses, known_answers
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Exam, derive
from autograder.exam_types.variations import is_judgeable, with_a_size_of_one
from course_lib.checks import Finding
from course_lib.checks.case import Case
from course_lib.checks.evidence import Mistakes
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Outputs, Question
from course_lib.checks.variation import examine_variation

CARD_DECIMALS = 2
MOST_REMEMBERED = 300


@dataclass(frozen=True)
class CodeCriterion(Criterion):
    """`draw` makes the arguments in order; `observe` names one of course_lib.checks.observers.

    `fixed` are sizes that the contract gives, such as the width of a kernel: they are not varied.
    """

    draw: Callable[[Draw], Sequence[object]]
    observe: str = "values"
    visible: bool = True
    fixed: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class CodeExam(Exam[CodeCriterion]):
    """`outputs` names what the function returns; `properties` are tried before the values are compared."""

    function: Callable
    outputs: Sequence[str]
    properties: Mapping[str, str] = field(default_factory=dict)
    forbidden: Sequence[str] = ()
    _cases: dict[tuple[str, int], list[Case]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def reference(self) -> Callable:
        return self.function

    def examine(self, answer: object, criterion: CodeCriterion, draw: Draw) -> None:
        case, *variations = self._remembered_cases(criterion, draw)
        case.examine(answer)
        for variation in variations:
            examine_variation(variation, answer, case)

    def card(self) -> dict:
        visible = [criterion for criterion in self.criteria if criterion.visible]
        return {
            "kind": "code",
            "outputs": list(self.outputs),
            "properties": dict(self.properties),
            "forbidden": list(self.forbidden),
            "cases": [self._card_case(criterion) for criterion in visible],
        }

    def _remembered_cases(self, criterion: CodeCriterion, draw: Draw) -> list[Case]:
        """The same case for the same seed: the known mistakes need to be asked once, however many answers fail.

        Its variations follow it.
        """
        key = criterion.name, draw.seed
        if key not in self._cases:
            while len(self._cases) >= MOST_REMEMBERED:
                del self._cases[next(iter(self._cases))]
            values = criterion.draw(draw)
            self._cases[key] = [self._case(criterion, values), *self._variations(criterion, values)]
        return self._cases[key]

    def _variations(self, criterion: CodeCriterion, values: Sequence[object]) -> Iterator[Case]:
        if criterion.observe == "values" and not criterion.side:
            if any(each.observe == "gradients" for each in self.criteria):
                yield self._case(replace(criterion, observe="gradient values"), values)
            for varied in with_a_size_of_one(values, criterion.fixed):
                with suppress(Finding):  # the reference refuses this size
                    case = self._case(criterion, varied)
                    if is_judgeable(case.expected):
                        yield case

    def _case(self, criterion: CodeCriterion, values: Sequence[object]) -> Case:
        arguments = dict(zip(self._names(len(values)), values, strict=False))
        question = Question(self.exercise, self.function, arguments, self.outputs)
        return Case(
            exercise=self.exercise,
            outputs=tuple(self.outputs),
            arguments=arguments,
            expected=self._observe(criterion, self.function, arguments),
            known=cache(
                lambda: known_answers(self.known(), lambda answer: self._observe(criterion, answer, arguments))
            ),
            observe=criterion.observe,
            properties=self.properties,
            forbidden=self.forbidden,
            responses=cache(lambda: expected_responses(criterion.observe, question)),
        )

    def _names(self, count: int) -> list[str]:
        """The names of so many arguments; those that a *parameter takes are numbered."""
        names: list[str] = []
        for name, parameter in inspect.signature(self.function).parameters.items():
            many = parameter.kind is inspect.Parameter.VAR_POSITIONAL
            names += [f"{name}[{i}]" for i in range(count - len(names))] if many else [name]
        return names

    def _observe(self, criterion: CodeCriterion, answer: Callable, arguments: Mapping[str, object]) -> Outputs:
        return OBSERVERS[criterion.observe](Question(self.exercise, answer, arguments, self.outputs))

    def known(self) -> Iterator[tuple[Mistakes, Callable]]:
        """Every misconception, then every two that can be made at once.

        Two can when they are partials of one function that set different options of it.
        """
        yield from super().known()
        slips = [known for known in self.misconceptions if isinstance(known.answer, partial)]
        for one, two in combinations(slips, 2):
            if one.answer.func is two.answer.func and not one.answer.keywords.keys() & two.answer.keywords.keys():
                both = partial(one.answer.func, **one.answer.keywords, **two.answer.keywords)
                yield (self.mistake(one), self.mistake(two)), both

    def _card_case(self, criterion: CodeCriterion) -> dict:
        draw = Draw(derive(0, "card", self.exercise, criterion.name), decimals=CARD_DECIMALS)
        values = as_kept(criterion.draw(draw))
        return {"name": criterion.name} | case_card(self._case(criterion, values), self._variations(criterion, values))
