"""None where a value belongs."""

import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule

_FROM = "an argument that may be left out, or what a function without `return` gives"
_FIRST = "Handle that case first, with `if … is None`."


def _operand(raised: Raised, match: re.Match[str]) -> str:
    return f"One side of `{match[1]}` is None: {_FROM}. {_FIRST}"


def _attribute(raised: Raised, match: re.Match[str]) -> str:
    name = match[1]
    if f".{name}" not in raised.line:
        return f"A function that is called here gets None instead of a tensor, so it finds no `.{name}`."
    owners = set(raised.words(rf"([A-Za-z_][\w.]*)\.{name}\b")) - {"torch", "F", "nn", "math"}
    if len(owners) != 1:
        return f"Something before `.{name}` is None: {_FROM}."
    owner = owners.pop()
    return f"`{owner}` is None here, so it has no `.{name}`. Handle that case first, with `if {owner} is not None`."


def _input(raised: Raised, match: re.Match[str]) -> str:
    if f"{match[1]}(" in raised.line:
        return f"`{match[1]}` gets None instead of a tensor: {_FROM}."
    return (
        "A layer or function gets None instead of a tensor: a function or method before it has no "
        "`return`, or an argument was "
        "left out."
    )


def _indexed(raised: Raised, match: re.Match[str]) -> str:
    owners = {owner for owner in raised.words(r"([A-Za-z_][\w.]*)\[") if not owner.endswith(".shape")}
    owner = f"`{owners.pop()}`" if len(owners) == 1 else "Something in this line"
    return f"{owner} is None here, so it cannot be indexed. {_FIRST}"


RULES = (
    Rule(
        "none",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^: ]+)[^:]*: (?:'NoneType' and |'[\w.]+' and 'NoneType')",
        _operand,
    ),
    Rule(
        "none",
        "TypeError",
        r"bad operand type for unary [-~+]: 'NoneType'|'NoneType' and '\w+'$|'\w+' and 'NoneType'$|"
        r"object of type 'NoneType' has no len\(\)|argument of type 'NoneType' is not",
        f"Something in this line is None: {_FROM}. {_FIRST}",
    ),
    Rule("none", "AttributeError", r"^'NoneType' object has no attribute '(\w+)'", _attribute),
    Rule("none", "TypeError", r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not NoneType", _input),
    Rule(
        "none",
        "TypeError",
        r"^(\w+)\(\) received an invalid combination of arguments - got \((?:\w+, )*NoneType",
        f"`{{1}}` gets None where it needs a value: an argument that may be left out is left out here. {_FIRST}",
    ),
    Rule("none", "TypeError", r"^'NoneType' object is not subscriptable", _indexed),
    Rule(
        "none",
        "TypeError",
        r"^'NoneType' object is not iterable|cannot unpack non-iterable NoneType object",
        f"None is given where several values are expected: {_FROM}.",
    ),
    Rule("none", "TypeError", r"^'NoneType' object is not callable", "What you call here is None."),
)
