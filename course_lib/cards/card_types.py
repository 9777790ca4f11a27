"""What the JSON of cards and of the exercise index holds, for the type checker."""

from typing import Literal, TypedDict

# A tensor as an EncodedTensor, anything else as plain JSON: see `encode`.
Encoded = object


class EncodedTensor(TypedDict):
    shape: list[int]
    dtype: str
    numbers: list[float]


class CardMistake(TypedDict):
    """The fields of `Mistake` in course_lib.checks."""

    id: str
    says: str
    hint: str | None


class KnownMistakes(TypedDict):
    """Mistakes that are made at once, and the fingerprint of each output that they give."""

    mistakes: list[CardMistake]
    prints: dict[str, list]


class CardQuestion(TypedDict):
    """`responses` are what the reference gives for other arguments, in the order of course_lib.checks.responses."""

    observe: str
    arguments: dict[str, Encoded]
    expected: dict[str, Encoded]
    responses: list[str]


class CodeCase(CardQuestion):
    """`variations` are other inputs for an answer that is right on these."""

    name: str
    variations: list[CardQuestion]
    known: list[KnownMistakes]


class EncodedWeight(TypedDict):
    """A parameter for the student's module: the fields of `Weight` in course_lib.checks."""

    part: str
    name: str
    value: EncodedTensor
    start: float | None
    linear: bool


class ModuleCase(CodeCase):
    """`weights` are None where the student's own are kept."""

    sizes: list[Encoded]
    weights: list[EncodedWeight] | None


class CodeCard(TypedDict):
    kind: Literal["code"]
    outputs: list[str]
    properties: dict[str, str]
    forbidden: list[str]
    cases: list[CodeCase]


class CardCall(TypedDict):
    """A module's constructor and what it is called with; inputs of None ask the constructor alone."""

    sizes: list[Encoded]
    inputs: list[Encoded] | None


class CardRefusal(TypedDict):
    name: str
    allowed: CardCall
    refused: CardCall
    names: list[int]


class ModuleCard(TypedDict):
    kind: Literal["module"]
    outputs: list[str]
    properties: dict[str, str]
    forbidden: list[str]
    cases: list[ModuleCase]
    refusals: list[CardRefusal]


class ShapesCard(TypedDict):
    kind: Literal["shapes"]
    dimensions: list[str]
    given: dict[str, list[str]]
    tensors: list[str]
    relations: list[str]


class ChoiceCard(TypedDict):
    kind: Literal["choose"]
    letters: str


class CounterexampleCard(TypedDict):
    """The mistakes by the slugs that the claim gives them."""

    kind: Literal["counterexample"]
    parts: list[str]
    mistakes: dict[str, CardMistake]


class KnownSlip(TypedDict):
    mistake: CardMistake
    values: list[float]


class CardRung(TypedDict):
    name: str
    points: list[dict[str, Encoded]]
    expected: list[float]
    known: list[KnownSlip]


class DerivationCard(TypedDict):
    kind: Literal["ladder"]
    rungs: list[CardRung]


class ExperimentCard(TypedDict):
    """`between` are the limits of a number that is possible at all, such as those of an accuracy."""

    kind: Literal["experiment"]
    numbers: list[str]
    between: list[float] | None


class BugHuntCard(TypedDict):
    kind: Literal["student tests"]


class TrainedModelCard(TypedDict):
    """The share that must be right, by what is said of it."""

    kind: Literal["trained"]
    shares: dict[str, float]


Card = (
    CodeCard
    | ModuleCard
    | ShapesCard
    | ChoiceCard
    | CounterexampleCard
    | DerivationCard
    | ExperimentCard
    | BugHuntCard
    | TrainedModelCard
)


class IndexedExercise(TypedDict):
    name: str
    points: float
    kind: str
    hints: list[str]  # their titles, in order


class IndexedUnit(TypedDict):
    title: str
    exercises: list[IndexedExercise]
