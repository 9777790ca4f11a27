"""What is wrong with the parameters of a module, told from the finding that lists them."""

import re
from collections import Counter
from collections.abc import Iterator

from course_lib.cards.observed import Mistake, Observed
from course_lib.checks.relations.pair import listed, relation

_LISTED = re.compile(r"(?:([\w.]+) )?\(([\d, ]*)\)( of an nn\.Linear)?")
_SHAPE = re.compile(r"([\w.]+) has shape \(([\d, ]*)\)$")

Parameter = tuple[str, tuple[int, ...], bool]  # name, shape, of an nn.Linear


def of_parameters(observed: Observed) -> tuple[Mistake, ...]:
    """What can be said in words of parameters that are too many, missing, or of another shape."""
    if observed.got.startswith("has the parameters "):
        return tuple(_too_many_or_missing(_read(observed.got), _read(observed.expected)))
    if match := _SHAPE.search(observed.got):
        return tuple(_other_shape(match[1], _sizes(match[2]), _sizes(observed.expected)))
    return ()


def _too_many_or_missing(own: list[Parameter], wanted: list[Parameter]) -> Iterator[Mistake]:
    extra, missing = Counter(map(_form, own)), Counter(map(_form, wanted))
    extra, missing = extra - missing, missing - extra
    shapes = listed([str(shape) for shape, _ in missing.elements()] or ["none"])
    if not own:
        says = (
            "Your module has no parameters of its own: a layer or an nn.Parameter is one once it is assigned to self."
        )
        yield relation("no parameters", says)
    elif missing and not extra and all(linear and len(shape) == 1 for shape, linear in missing):
        yield relation("no biases", f"Biases are missing, {shapes}: nn.Linear has one unless bias=False is given.")
    elif missing and not extra:
        yield relation("parameters missing", f"Parameters are missing, of shape {shapes}.")
    elif extra and not missing:
        names = [name for name, shape, linear in own if (shape, linear) in extra]
        yield relation(
            "parameters too many", f"The exercise has no place for {listed(names)}: take out what is too many."
        )


def _other_shape(name: str, got: tuple[int, ...], want: tuple[int, ...]) -> Iterator[Mistake]:
    layer = name.removesuffix(".weight")
    if len(got) == 2 and got == want[::-1]:
        yield relation("a parameter transposed", f"The two sizes of {name} have changed places.")
    elif got and set(got) == {1}:
        yield relation("one number for all", f"{name} is one number for all; expected one for each.")
    elif name != layer and len(got) == len(want) == 2 and got[1] == want[1]:
        yield relation("a layer of another width", f"{layer} gives {got[0]} features, expected {want[0]}.")
    elif name != layer and len(got) == len(want) == 2 and got[0] == want[0]:
        yield relation("a layer for another width", f"{layer} takes {got[1]} features, expected {want[1]}.")


def _read(text: str) -> list[Parameter]:
    return [(name, _sizes(shape), bool(linear)) for name, shape, linear in _LISTED.findall(text)]


def _form(parameter: Parameter) -> tuple[tuple[int, ...], bool]:
    _, shape, linear = parameter
    return shape, linear


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in re.findall(r"\d+", text))
