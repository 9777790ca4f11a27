"""Equal after one more function: a softmax, a logarithm, a ReLU, a division by the sum."""

import torch

from course_lib.cards.observed import Mistake
from course_lib.checks.relations.pair import Pair, Relations, dim_name, relation

# name: (as a noun, function); a pair of inverse functions has one entry
FUNCTIONS = {
    "log": ("logarithm", torch.log),
    "exp": ("exponential", torch.exp),
    "square": ("square", torch.square),
    "root": ("square root", torch.sqrt),
    "reciprocal": ("reciprocal", torch.reciprocal),
}
ONE_WAY = {
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
    for name, (noun, function) in {**FUNCTIONS, **ONE_WAY}.items():
        if pair.equals(function(pair.want)):
            yield _taken(pair, name, noun)
        if name in ONE_WAY and pair.is_reached_from(function(pair.got)):
            yield _missing(pair, name, noun)
    for name, (noun, along_axis) in ALONG.items():
        for axis in range(pair.want.ndim):
            along = dim_name(axis, pair.want.ndim)
            if pair.want.shape[axis] > 1 or not pair.evidence:
                if pair.equals(along_axis(pair.want, axis)):
                    yield _taken(pair, f"{name} {along}", f"{noun} over {along}")
                if pair.is_reached_from(along_axis(pair.got, axis)):
                    yield _missing(pair, f"{name} {along}", f"{noun} over {along}")


def _taken(pair: Pair, name: str, noun: str) -> Mistake:
    return relation(f"{name} taken", f"{pair.yours} {pair.be} the {noun} of what is expected.")


def _missing(pair: Pair, name: str, noun: str) -> Mistake:
    says = f"The {noun} of {pair.your} is what is expected."
    return relation(f"{name} missing", says)
