"""Tuples and lists where a tensor belongs, and what is unpacked or indexed wrongly."""

import ast
import re

from course_lib.checks.crashes.raised import Raised, called_name
from course_lib.checks.crashes.rule import Rule

_TAKE_ONE = (
    "it holds several values, such as what a function returns. Take the one you need: `output, weights = …`, or `…[0]`."
)
_PAIRS = ("max", "min", "sort", "topk", "median", "mode", "kthvalue", "cummax", "cummin")
_MAKE_TENSOR = "make a tensor of it first, with `torch.tensor(numbers)` or `torch.stack(tensors)`."


def _values_and_indices(raised: Raised, match: re.Match[str]) -> str:
    return _pair(match[1])


def _pair(name: str) -> str:
    instead = f", or use `a{name}`, which gives the values alone" if name in ("max", "min") else ""
    return f"`{name}` returns a pair here: the values and their indices. Take the values: `.values` or `[0]`{instead}."


def _indexed_pair(raised: Raised, match: re.Match[str]) -> str | None:
    """A pair of values and indices, indexed as a tensor would be."""
    calls = raised.calls(*_PAIRS)
    return _pair(called_name(calls[0])) if len(calls) == 1 else None


def _tuple_attribute(raised: Raised, match: re.Match[str]) -> str | None:
    if raised.calls("split", "chunk", "unbind"):
        return None
    if hasattr(list, match[1]):
        return f"A tuple cannot be changed, so it has no `.{match[1]}`: make a list of it first, `list(…)`."
    return f"A tuple has no `.{match[1]}`: {_TAKE_ONE}"


def _shape_index(raised: Raised, match: re.Match[str]) -> str | None:
    return (
        "The tensor has fewer dimensions than this index of its `.shape` needs." if ".shape[" in raised.line else None
    )


def _unpack(raised: Raised, match: re.Match[str]) -> str | None:
    targets = [target for node in raised.nodes() if isinstance(node, ast.Assign) for target in node.targets]
    if not any(isinstance(target, ast.Tuple) for target in targets):
        return None  # something that the line calls unpacks it
    too_many, named = "too many" in match[0], match[1]
    if ".shape" in raised.line or ".size()" in raised.line:
        if too_many:
            return f"You name {named} sizes, but the tensor has more dimensions: which one is missing among the names?"
        return f"You name {named} sizes, but the tensor has fewer dimensions: which of the names does it lack?"
    return (
        f"You name {named} values on the left, but on the right there are "
        f"{'more' if too_many else 'fewer'}: unpacking a tensor "
        "gives its entries along the first dimension."
    )


RULES = (
    Rule(
        "not-in-list",
        "ValueError",
        r"^.+ is not in (?:list|tuple)$|tuple\.index\(x\): x not in tuple",
        "`index` finds no such value: it need not be there. Handle that case first.",
    ),
    Rule(
        "values-and-indices",
        "TypeError",
        r"can only concatenate tuple|can't multiply sequence by non-int",
        _indexed_pair,
    ),
    Rule("values-and-indices", "TypeError AttributeError", r"torch\.return_types\.(\w+)", _values_and_indices),
    Rule(
        "values-and-indices",
        "TypeError",
        r"(?:tuple|list) indices must be integers or slices, not tuple",
        _indexed_pair,
    ),
    Rule(
        "list-indexed",
        "TypeError",
        r"(tuple|list) indices must be integers or slices, not (?:tuple|Tensor)",
        "A Python {1} takes one integer as its index, not several. Take one of its entries first, "
        "or make a tensor of it with "
        "`torch.stack`.",
    ),
    Rule(
        "pair-returned",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^: ]+)[^:]*: (?:'tuple' and '(?:Tensor|int|float)'|"
        r"'(?:Tensor|int|float)' and 'tuple')|"
        r"can only concatenate tuple \(not \"Tensor\"\) to tuple",
        lambda raised, match: f"One side of `{match[1] or '+'}` is a tuple, not a tensor: {_TAKE_ONE}",
    ),
    Rule("pair-returned", "AttributeError", r"^'tuple' object has no attribute '(\w+)'", _tuple_attribute),
    Rule(
        "parts-are-tuple",
        "AttributeError",
        r"^'tuple' object has no attribute '(\w+)'",
        "`split`, `chunk` and `unbind` give a tuple of parts, and a tuple is no tensor: `view` or "
        "`unflatten` turns one dimension "
        "into two and keeps one tensor.",
    ),
    Rule(
        "pair-returned",
        "TypeError",
        r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not tuple",
        f"A layer or function here gets a tuple, not a tensor: {_TAKE_ONE}",
    ),
    Rule(
        "list-not-tensor",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^: ]+)[^:]*: (?:'list' and |'[\w.]+' and 'list')",
        f"One side of `{{1}}` is a Python list: {_MAKE_TENSOR}",
    ),
    Rule(
        "list-not-tensor",
        "TypeError",
        r"can't multiply sequence by non-int of type '(\w+)'",
        f"A Python list or tuple cannot be multiplied entry by entry: take the entry that you need, or {_MAKE_TENSOR}",
    ),
    Rule(
        "list-not-tensor",
        "TypeError",
        r"can only concatenate (list|tuple) \(not \"([\w.]+)\"\) to \1",
        "`+` joins one {1} to another, and the other side is of type {2}. To add numbers entry by "
        "entry, make a tensor first.",
    ),
    Rule(
        "list-not-tensor",
        "AttributeError",
        r"^'list' object has no attribute '(\w+)'",
        f"A Python list has no `{{1}}`: {_MAKE_TENSOR}",
    ),
    Rule("unpack", "ValueError", r"too many values to unpack \(expected (\d+)", _unpack),
    Rule("unpack", "ValueError", r"not enough values to unpack \(expected (\d+)", _unpack),
    Rule(
        "not-iterable",
        "TypeError",
        r"^'(int|float)' object is not iterable",
        "A loop needs something to go through, and this is a number ({1}): `range(n)` gives 0 to n - 1.",
    ),
    Rule(
        "list-index",
        "IndexError",
        r"list (?:assignment )?index out of range",
        "The list has no entry at this index: a new list `[]` is empty. Use `append`, or start from `torch.zeros(…)`.",
    ),
    Rule("tuple-index", "IndexError", r"tuple index out of range", _shape_index),
    Rule(
        "tuple-index",
        "IndexError",
        r"tuple index out of range",
        "There are fewer entries than this index needs, maybe none at all.",
    ),
    Rule(
        "item-assignment",
        "TypeError",
        r"'(tuple|int|float|Size|str)' object does not support item assignment",
        "An entry of a {1} cannot be changed: use a tensor or a list.",
    ),
)
