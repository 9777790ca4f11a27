"""Relations of single numbers: few of them, because a number fits many things by chance."""

import math
from collections.abc import Iterator, Mapping

from course_lib.cards.observed import Mistake
from course_lib.checks.relations.amounts import arguments_equal_to, is_number, words_for
from course_lib.checks.relations.pair import as_numbers, has_numbers, relation

NEAR = 2e-4
FUNCTIONS = {
    "square": lambda x: x * x,
    "square root": math.sqrt,
    "reciprocal": lambda x: 1 / x,
    "natural logarithm": math.log,
    "exponential": math.exp,
    "base-2 logarithm": math.log2,
    "base-10 logarithm": math.log10,
}


def as_number(value: object) -> float | None:
    """A finite number, also in a tensor of one entry; None for anything else."""
    if has_numbers(value) and value.numel() == 1:
        value = as_numbers(value).item()
    return float(value) if is_number(value) else None


def of_numbers(
    got: Mapping[str, object], want: Mapping[str, object], arguments: Mapping[str, object]
) -> Iterator[Mistake]:
    """What holds of all single numbers that are wrong; to be believed when it holds in two cases."""
    numbers = {name: (as_number(got.get(name)), as_number(value)) for name, value in want.items()}
    pairs = {name: (one, other) for name, (one, other) in numbers.items() if one is not None and other is not None}
    for name, (one, other) in pairs.items():
        for key, (_, value) in pairs.items():
            if one == value != other:
                yield relation(f"number of the other output {key}", f"Your {name} is what is expected as {key}.")
        if one == other and type(got[name]) is not type(want[name]):
            types = f"{type(got[name]).__name__}, expected {type(want[name]).__name__}"
            yield relation(f"type {types}", f"Your {name} has the right value, but the type {types}.")
    wrong = [
        list(_of_number(name, one, other, arguments))
        for name, (one, other) in pairs.items()
        if not math.isclose(one, other, rel_tol=NEAR)
    ]
    for mistake in wrong[0] if wrong else ():
        if all(mistake in others for others in wrong):
            if len(wrong) > 1:
                yield relation(f"of several numbers: {mistake.id}", f"{mistake.says} The same holds of the others.")
            yield mistake


def _of_number(name: str, got: float, want: float, arguments: Mapping[str, object]) -> Iterator[Mistake]:
    """A factor, a difference or a function with a name."""
    if not got or not want:
        return
    yours = f"Your {name}"
    factor, difference = got / want, got - want
    for word in words_for(factor, arguments):
        how = "with the opposite sign" if word == "−1" else f"times {word}"
        yield relation(f"number {how}", f"{yours} is the expected number {how}.")
    for noun, function in FUNCTIONS.items():
        try:
            result = function(want)
        except (ValueError, OverflowError):
            continue
        if want != 1 and math.isclose(got, result, rel_tol=NEAR):
            yield relation(f"number {noun} taken", f"{yours} is the {noun} of the expected number.")
    sign = "more" if difference > 0 else "less"
    if float(want).is_integer() and abs(difference) == 1:
        yield relation(f"number 1 {sign}", f"{yours} is 1 {sign} than expected.")
    for word in arguments_equal_to(abs(difference), arguments):
        yield relation(f"number {word} {sign}", f"{yours} is {word} {sign} than expected.")
