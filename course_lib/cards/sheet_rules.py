"""The rules that a right shape sheet keeps, and no wrong one: products, widths, and weights that are shared.

A broken rule asks a question first; the shape that would follow comes on a later try.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from course_lib.cards.shape_algebra import Shape, product_shape, same_dimension, same_shape, show_shape
from course_lib.cards.shape_exercises import SHAPE_EXERCISES, ShapeExercise
from course_lib.cards.shape_questions import QUESTIONS

Sheet = Mapping[str, Shape]


@dataclass(frozen=True)
class Clash:
    """The tensor whose entry breaks a rule, and what to say: a question, then where to look, then all of it."""

    tensor: str
    question: str
    where: str
    whole: str

    def says(self, tries: int) -> str:
        return (self.question, self.where, self.whole)[min(tries, 3) - 1]


@dataclass(frozen=True)
class Rule:
    """What must hold for `tensor`; `clash` needs the tensor, its `inputs` and the `weight` on the sheet."""

    name: str
    tensor: str
    clash: Callable[[Sheet], Clash | None]
    inputs: tuple[str, ...] = ()
    weight: str | None = None

    @property
    def tensors(self) -> list[str]:
        return [name for name in (*self.inputs, self.weight, self.tensor) if name]


@dataclass(frozen=True)
class Judgement:
    """A rule, with its clash if it is broken; or the tensor that it `waits_for`, which must be right first."""

    rule: Rule
    clash: Clash | None = None
    waits_for: str | None = None


def judge(exercise: str, sheet: Sheet) -> Iterator[Judgement]:
    """Every rule whose tensors are on the sheet; one that nothing is wrong with proves its tensors right."""
    known = SHAPE_EXERCISES[exercise]
    right, wrong = set(known.given), set[str]()
    for rule in _rules(known):
        if not set(rule.tensors) <= sheet.keys():
            continue
        doubtful = [name for name in rule.inputs if name not in right]
        doubtful += [name for name in (rule.weight, rule.tensor) if name in wrong]
        clash = None if doubtful else rule.clash(sheet)
        if clash:
            wrong.add(clash.tensor)
        elif rule.inputs and not doubtful:
            right.update(rule.tensors)
        yield Judgement(rule, clash, next(iter(doubtful), None))


def _rules(known: ShapeExercise) -> Iterator[Rule]:
    """In the order of the computation, what is known of one tensor alone before the products."""
    for name in known.flow.tensors:
        if name in known.flow.weights:
            yield Rule(f"{name} is one matrix for all sequences", name, partial(_shared, name))
    for tensor, width in known.widths.items():
        yield Rule(f"the width of {tensor}", tensor, partial(_width, tensor, width))
    for relation in known.relations:
        tensor, formula = relation.split(" = ")
        factors = sorted(tensors_of(relation) - {tensor}, key=formula.index)
        weight = next((name for name in factors if name in known.flow.weights), None)
        inputs = tuple(name for name in factors if name != weight)
        clash = partial(_product, tensor, formula, weight, QUESTIONS[known.name][relation])
        yield Rule(relation, tensor, clash, inputs, weight)


def tensors_of(relation: str) -> set[str]:
    """The tensors that a relation such as "scores = Q @ K.T" names."""
    return {name.partition(".")[0] for name in relation.replace(" = ", " @ ").split(" @ ")}


def _shared(weight: str, sheet: Sheet) -> Clash | None:
    if len(sheet[weight]) == 2:
        return None
    question = f"Does each sequence have a {weight} of its own, or do all of them share one?"
    has = f"Your {weight} has {_dimensions(sheet[weight])}"
    return Clash(weight, question, has, f"{has}, expected 2: one that meets the input, and one that comes out")


def _width(tensor: str, width: str, sheet: Sheet) -> Clash | None:
    last = sheet[tensor][-1] if sheet[tensor] else "nothing"
    if same_dimension(last, width):
        return None
    question = f"How wide does the exercise make {tensor}, and how wide is yours?"
    has = f"Your {tensor} is {last} wide"
    return Clash(tensor, question, f"{has}, and the exercise says otherwise", f"{has}, expected {width}")


def _product(tensor: str, formula: str, weight: str | None, question: str, sheet: Sheet) -> Clash | None:
    entry = sheet[tensor]
    try:
        expected = product_shape(formula, sheet)
    except ValueError as error:
        return Clash(weight or tensor, _inner_question(formula), str(error), str(error))
    if same_shape(entry, expected):
        return None
    gives = f"{tensor} has the shape of {formula}," if formula.isidentifier() else f"{formula} gives"
    whole = f"{gives} {show_shape(expected)}, but your sheet says {show_shape(entry)}"
    if weight and same_shape(entry[:-1], expected[:-1]):  # the width of the result is known to be right
        last = f"{weight} gives rows that are {expected[-1]} wide, and those of {tensor} are not"
        return Clash(weight, f"{weight} makes {tensor}: how wide is a row before, and how wide after?", last, whole)
    return Clash(tensor, question, _where(tensor, formula, entry, expected), whole)


def _inner_question(formula: str) -> str:
    left, _, right = formula.partition(" @ ")
    if not right:
        return f"How many dimensions does {formula} need, and how many are there?"
    return f"In {formula}, the last dimension of {left} meets the second-to-last of {right}: are they the same?"


def _where(tensor: str, formula: str, entry: Shape, expected: Shape) -> str:
    if len(entry) != len(expected):
        return f"Your {tensor} has {_dimensions(entry)}, and {formula} has {len(expected)}"
    pairs = enumerate(zip(entry, expected, strict=True))
    wrong = [place for place, (one, other) in pairs if not same_dimension(one, other)]
    named = " and ".join(f"dimension {place} ({entry[place]})" for place in wrong)
    return f"In your {tensor}, {named} {'is' if len(wrong) == 1 else 'are'} not what {formula} gives"


def _dimensions(shape: Shape) -> str:
    return f"{len(shape)} dimension{'s' * (len(shape) != 1)}"
