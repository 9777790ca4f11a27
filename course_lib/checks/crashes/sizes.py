"""Sizes and indices: whole shapes, floats and tensors where one integer belongs."""

import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule

_SHAPE_INSTEAD = (
    "A whole shape is given where one number belongs: pick the size of one dimension, such as `x.shape[-1]`."
)


def _slice(raised: Raised, match: re.Match[str]) -> str:
    if re.search(r"\.shape\s*(?:[\]:]|$)|\.size\(\)\s*[\]:]", raised.line):
        return _SHAPE_INSTEAD
    if "/" in raised.line.replace("//", ""):
        return _integer(raised, match)
    return (
        "The bounds of a slice must be integers, and one of these is something else, such as a float, a tensor of "
        "several entries or a whole shape."
    )


def _integer(raised: Raised, match: re.Match[str]) -> str:
    if "/" in raised.line.replace("//", ""):
        return "Sizes, dimensions and indices must be integers, and `/` always gives a float: use `//`."
    return "Sizes, dimensions and indices must be integers, and this is a float."


RULES = (
    Rule(
        "integer-wanted",
        "TypeError",
        r"'(tuple|list|Tensor|str|dict)' object cannot be interpreted as an integer",
        "An integer is needed here, as in `range(n)`, and this is of type {1}: `len(…)` gives the "
        "number of its entries.",
    ),
    Rule(
        "range-of-tensor",
        "TypeError",
        r"only integer tensors of a single element can be converted to an index",
        "An integer is needed here, as in `range(n)` or an index of a list, and this is a tensor "
        "of several entries or of "
        "floats: use a size such as `x.shape[0]`, or `.item()` of one entry.",
    ),
    Rule("size-is-shape", "TypeError", r"must be real number, not torch\.Size", _SHAPE_INSTEAD),
    Rule(
        "size-is-shape",
        "TypeError",
        r"argument '\w+' \(position \d+\) must be (?:int|float|bool), not torch\.Size",
        _SHAPE_INSTEAD,
    ),
    Rule(
        "size-is-shape",
        "TypeError",
        (
            r"'torch\.Size' object cannot be interpreted as an integer|unsupported operand "
            r"type\(s\) for (?:/|\*\*|//|-): (?:'\w+' and )?'torch\.Size'|^(?:arange|eye|"
            r"linspace|tril_indices|triu_indices)\(\) received .* got \((?:\w+, )*torch\.Size"
        ),
        _SHAPE_INSTEAD,
    ),
    Rule(
        "float-for-integer",
        "TypeError",
        r"'float' object cannot be interpreted as an integer",
        _integer,
    ),
    Rule(
        "float-for-integer",
        "TypeError",
        (
            r"type must be tuple of ints,? ?but got float|must be tuple of ints, (?:not|but "
            r"found element of type) float|argument '(?:size|shape|dims?|n)' .*(?:must be "
            r"int, not float|but found element of type float|pos \d+.*float)"
        ),
        _integer,
    ),
    Rule("slice-bounds", "TypeError", r"slice indices must be integers", _slice),
    Rule(
        "float-for-integer",
        "TypeError IndexError",
        r"(?:list|tuple) indices must be integers or slices, not float",
        _integer,
    ),
)
