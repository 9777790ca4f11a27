"""Equal after one more function: a softmax, a logarithm, a ReLU, a division by the sum."""

from collections.abc import Callable

import torch
from torch import Tensor

from course_lib.cards.observed import Mistake
from course_lib.checks.relations.pair import Pair, Relations, relation

Function = Callable[[Tensor], Tensor]

# as a noun, the function and its inverse
FUNCTIONS: dict[str, tuple[str, Function, Function]] = {
    "log": ("logarithm", torch.log, torch.exp),
    "exp": ("exponential", torch.exp, torch.log),
    "square": ("square", torch.square, torch.sqrt),
    "root": ("square root", torch.sqrt, torch.square),
    "reciprocal": ("reciprocal", torch.reciprocal, torch.reciprocal),
}
ONE_WAY: dict[str, tuple[str, Function]] = {
    "relu": ("ReLU", torch.relu),
    "abs": ("absolute value", torch.abs),
    "sigmoid": ("sigmoid", torch.sigmoid),
    "tanh": ("tanh", torch.tanh),
}
ALONG = {
    "softmax": ("softmax", torch.softmax),
    "log_softmax": ("log-softmax", torch.log_softmax),
    "normalized": ("quotient by the sum", lambda values, axis: values / values.sum(axis, keepdim=True)),
}


def applied(pair: Pair) -> Relations:
    """What came is a function of what was expected, or becomes it by one."""
    if not pair.same_shape or pair.is_logical:
        return
    for name, (noun, function, inverse) in FUNCTIONS.items():
        # the inverse, where numbers that are too small for a float came as 0
        if pair.equals(function(pair.want)) or (pair.got.isfinite().all() and pair.is_reached_from(inverse(pair.got))):
            yield _taken(pair, name, noun)
    for name, (noun, function) in ONE_WAY.items():
        if pair.equals(function(pair.want)):
            yield _taken(pair, name, noun)
        if pair.is_reached_from(function(pair.got)):
            yield _missing(pair, name, noun)
    for name, (noun, along_axis) in ALONG.items():
        for axis in range(pair.want.ndim):
            if pair.want.shape[axis] > 1 or not pair.evidence:
                taken = pair.equals(along_axis(pair.want, axis))
                missing = pair.is_reached_from(along_axis(pair.got, axis))
                for along in pair.names_of_axis(axis) if taken or missing else ():
                    describe = _taken if taken else _missing
                    yield describe(pair, f"{name} {along}", f"{noun} over {along}")


def of_an_input(pair: Pair) -> Relations:
    """A function of an input, entry by entry, where something else is expected."""
    for name, (noun, function) in () if pair.is_logical else ONE_WAY.items():
        for argument, value in pair.tensors.items():
            if pair.equals(function(value)):
                yield relation(f"{name} of {argument}", f"{pair.yours} {pair.be} the {noun} of the input {argument}.")


def _taken(pair: Pair, name: str, noun: str) -> Mistake:
    return relation(f"{name} taken", f"{pair.yours} {pair.be} the {noun} of what is expected.")


def _missing(pair: Pair, name: str, noun: str) -> Mistake:
    says = f"The {noun} of {pair.your} is what is expected."
    return relation(f"{name} missing", says)
