"""None, tuples, lists and modules where a tensor belongs."""

import ast
import re

from course_lib.checks.crashes.raised import Raised, called_name
from course_lib.checks.crashes.rule import Rule

_NONE = (
    "Here something is None instead of a tensor: an argument that may be left out, "
    "or what a function without `return` gives."
)
_OPERANDS = r"^unsupported operand type\(s\) for ([^:]+): '([\w.]+)' and '([\w.]+)'"
_PAIR = (
    "A tuple has no `.{1}`: it holds several values, such as what a function returns. Take the one you need: "
    "`output, weights = …`, or `…[0]`."
)
_VALUES_AND_INDICES = "`{0}` returns a pair here: the values and their indices. Take the values: `.values` or `[0]`{1}."
_WITH_INDICES = ("max", "min", "sort", "topk", "median", "mode", "kthvalue", "cummax", "cummin")


def _indices(raised: Raised, match: re.Match[str]) -> str | None:
    name = match[1]
    instead = f", or use `a{name}`, which gives the values alone" if name in ("max", "min") else ""
    return _VALUES_AND_INDICES.format(name, instead)


def _indexed_pair(raised: Raised, match: re.Match[str]) -> str | None:
    """A pair of values and indices, indexed as a tensor would be."""
    calls = raised.calls(*_WITH_INDICES)
    if len(calls) == 1:
        return _VALUES_AND_INDICES.format(called_name(calls[0]), "")
    return (
        "A Python list or tuple takes one integer as its index, not several: it holds tensors, "
        "each of which has dimensions. Take one "
        "of them first, or `torch.stack` them."
    )


def _operands(raised: Raised, match: re.Match[str]) -> str | None:
    sign, kinds = match[1], (match[2], match[3])
    if "NoneType" in kinds:
        return (
            f"One side of `{sign}` is None: an argument that may be left out, or what a "
            f"function without `return` gives. Handle that case first, with `if … is None`."
        )
    if "tuple" in kinds and "Tensor" in kinds:
        return (
            f"One side of `{sign}` is a tuple, not a tensor: it holds several values, such as what a "
            f"function returns. Take the one you "
            "need: `output, weights = …`, or `…[0]`."
        )
    if "list" in kinds:
        return (
            f"One side of `{sign}` is a Python list: make a tensor of it first, with "
            f"`torch.tensor(numbers)` or `torch.stack(tensors)`."
        )
    if "str" in kinds:
        return f"One side of `{sign}` is a text (str), not a number: leave the quotation marks out."
    if "ellipsis" in kinds:
        return f"One side of `{sign}` is still the `...` of the exercise: replace it with your code."
    if any(kind in ("builtin_function_or_method", "method", "function", "method_descriptor") for kind in kinds):
        return f"One side of `{sign}` is a function that was not called: write it with parentheses."
    others = [kind for kind in kinds if kind not in ("Tensor", "int", "float", "bool", "Parameter")]
    if len(others) == 1 and others[0][:1].isupper() and "." not in others[0]:
        return (
            f"One side of `{sign}` is a layer itself ({others[0]}), not its result: call it "
            f"with the tensor, `layer(x)`."
        )
    if "type" in kinds:
        return f"One side of `{sign}` is a class: make an object of it first, with parentheses."
    return None


def _none_attribute(raised: Raised, match: re.Match[str]) -> str:
    name = match[1]
    if f".{name}" not in raised.line:
        return f"A function that is called here gets None instead of a tensor, so it finds no `.{name}`."
    found = re.findall(rf"([A-Za-z_][\w.]*)\.{name}\b", raised.line)
    if len(set(found)) == 1 and found[0] not in ("torch", "F", "nn", "math"):
        return (
            f"`{found[0]}` is None here, so it has no `.{name}`. It may be left out or missing: handle "
            f"that case first, with "
            f"`if {found[0]} is not None`."
        )
    return (
        f"Something before `.{name}` is None: an argument that may be left out, or what a "
        f"function without `return` gives."
    )


def _none_input(raised: Raised, match: re.Match[str]) -> str:
    if match[1] == "linear" or not raised.line or f"{match[1]}(" not in raised.line:
        return (
            "A layer gets None instead of a tensor: a function or method before it has no "
            "`return`, or its result was not kept."
        )
    return f"`{match[1]}` gets None instead of a tensor. {_NONE.partition(': ')[2].capitalize()}"


def _module_input(raised: Raised, match: re.Match[str]) -> str | None:
    kind = match[2]
    if kind == "tuple":
        return (
            "A layer or function here gets a tuple, not a tensor: it holds several values, such as "
            "what a function returns. Take the one you "
            "need: `output, weights = …`, or `…[0]`."
        )
    if kind[:1].isupper() and kind not in ("Tensor",):
        return (
            f"A layer or function here gets a layer ({kind}) instead of a tensor: make the "
            f"layer first and then call it, `nn.{kind}()(x)`, or in `__init__`."
        )
    return None


def _subscript(raised: Raised, match: re.Match[str]) -> str | None:
    kind = match[1]
    if kind == "NoneType":
        found = set(re.findall(r"([A-Za-z_][\w.]*)\[", raised.line))
        which = f"`{found.pop()}`" if len(found) == 1 else "Something in this line"
        return f"{which} is None here, so it cannot be indexed: handle that case first, with `if … is None`."
    if kind in ("builtin_function_or_method", "method", "function"):
        return "A function is indexed here instead of its result: call it with parentheses first."
    if kind in ("int", "float"):
        return f"This is a single number ({kind}), which has no entries to pick."
    if kind in ("ellipsis",):
        return "The `...` of the exercise is still here: replace it with your code."
    if kind == "Embedding":
        return (
            "An nn.Embedding is a layer, called with ids: `table(torch.arange(n))`. Its rows "
            "as a tensor are `table.weight[:n]`."
        )
    if kind[:1].isupper():
        return f"A {kind} is a layer: it is called, `layer(x)`, and cannot be indexed."
    return None


def _unpack(raised: Raised, match: re.Match[str]) -> str | None:
    wanted = match[1]
    targets = [t for node in raised.nodes() if isinstance(node, ast.Assign) for t in node.targets]
    if not any(isinstance(target, ast.Tuple) for target in targets):
        return None  # something that the line calls unpacks it
    if ".shape" in raised.line or ".size()" in raised.line:
        if "too many" in match[0]:
            return f"You name {wanted} sizes, but the tensor has more dimensions: which one is missing among the names?"
        return f"You name {wanted} sizes, but the tensor has fewer dimensions: which of the names does it lack?"
    return (
        f"You name {wanted} values on the left, but on the right there are "
        f"{'more' if 'too many' in match[0] else 'fewer'}: unpacking a tensor gives its "
        f"entries along the first dimension."
    )


RULES = (
    Rule(
        "list-not-tensor",
        "TypeError",
        r"can't multiply sequence by non-int of type '(\w+)'",
        "A Python list or tuple cannot be multiplied entry by entry: make a tensor of it, with "
        "`torch.tensor(numbers)` or `torch.stack(tensors)`.",
    ),
    Rule(
        "list-not-tensor",
        "TypeError",
        r"can only concatenate (list|tuple) \(not \"(\w+)\"\) to \1",
        "`+` joins one {1} to another, and the other side is of type {2}: to add numbers entry by "
        "entry, make a tensor first.",
    ),
    Rule(
        "none",
        "TypeError",
        r"bad operand type for unary [-~+]: 'NoneType'|'NoneType' and '\w+'$|'\w+' and 'NoneType'$|"
        r"object of type 'NoneType' has no len\(\)|argument of type 'NoneType' is not",
        "Something in this line is None: an argument that may be left out, or what a function "
        "without `return` gives. Handle that case first, with `if … is None`.",
    ),
    Rule(
        "method-not-called",
        "TypeError",
        r"'\w*(?:method|function)\w*' and '\w+'$|'\w+' and '\w*(?:method|function)\w*'$",
        "A function or method in this line is compared but was not called: write it with parentheses.",
    ),
    Rule(
        "no-length",
        "TypeError",
        r"object of type '(int|float)' has no len\(\)",
        "`len` counts entries, and this is a single number ({1}).",
    ),
    Rule(
        "no-length",
        "TypeError",
        r"len\(\) of a 0-d tensor",
        "`len` gives the first size, and this tensor is a single number, without dimensions.",
    ),
    Rule(
        "item-assignment",
        "TypeError",
        r"'(tuple|int|float|Size|str)' object does not support item assignment",
        "An entry of a {1} cannot be changed: use a tensor or a list.",
    ),
    Rule("values-and-indices", "TypeError AttributeError", r"torch\.return_types\.(\w+)", _indices),
    Rule(
        "values-and-indices",
        "TypeError",
        r"(?:tuple|list) indices must be integers or slices, not tuple",
        lambda r, m: _indexed_pair(r, m) if r.calls(*_WITH_INDICES) else None,
    ),
    Rule(
        "list-indexed",
        "TypeError",
        r"(?:tuple|list) indices must be integers or slices, not (?:tuple|Tensor)",
        _indexed_pair,
    ),
    Rule(
        "none",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^:]+): '(NoneType)' and '([\w.]+)'|^unsupported "
        r"operand type\(s\) for ([^:]+): '([\w.]+)' and '(NoneType)'",
        lambda r, m: _operands(r, re.search(_OPERANDS, m[0]) or m),
    ),
    Rule(
        "pair-returned",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^:]+): '(tuple)' and '(Tensor)'|^unsupported operand "
        r"type\(s\) for [^:]+: '(?:Tensor)' and '(?:tuple)'",
        lambda r, m: _operands(r, re.search(_OPERANDS, m[0]) or m),
    ),
    Rule(
        "method-not-called",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^:]+): '(\w*(?:method|function)\w*)' and '([\w.]+)'|"
        r"^unsupported operand type\(s\) for [^:]+: '[\w.]+' and '\w*(?:method|function)\w*'",
        lambda r, m: _operands(r, re.search(_OPERANDS, m[0]) or m),
    ),
    Rule(
        "module-not-called",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^:]+): '(Tensor)' and '([A-Z]\w+)'|^unsupported "
        r"operand type\(s\) for [^:]+: '[A-Z]\w+' and 'Tensor'",
        lambda r, m: _operands(r, re.search(_OPERANDS, m[0]) or m),
    ),
    Rule("operands", "TypeError", _OPERANDS, _operands),
    Rule("none", "AttributeError", r"^'NoneType' object has no attribute '(\w+)'", _none_attribute),
    Rule(
        "pair-returned",
        "AttributeError",
        r"^'tuple' object has no attribute '(\w+)'",
        lambda r, m: None if r.calls("split", "chunk", "unbind") else _PAIR.replace("{1}", m[1]),
    ),
    Rule(
        "parts-are-tuple",
        "AttributeError",
        r"^'tuple' object has no attribute '(\w+)'",
        "`split`, `chunk` and `unbind` give a tuple of parts, and a tuple is no tensor: `view` or "
        "`unflatten` turns one dimension into two and keeps one tensor.",
    ),
    Rule(
        "list-not-tensor",
        "AttributeError",
        r"^'list' object has no attribute '(\w+)'",
        "This is a Python list, which has no `{1}`: `torch.stack(tensors)` or "
        "`torch.tensor(numbers)` makes a tensor of it.",
    ),
    Rule(
        "none", "TypeError", r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not (NoneType)", _none_input
    ),
    Rule(
        "none",
        "TypeError",
        r"^(\w+)\(\) received an invalid combination of arguments - got \((?:\w+, )*NoneType",
        "`{1}` gets None where it needs a tensor: an argument that may be left out is left out "
        "here. Handle that case first, with `if … is None`.",
    ),
    Rule(
        "pair-returned",
        "TypeError",
        r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not (tuple)",
        _module_input,
    ),
    Rule(
        "module-for-tensor",
        "TypeError",
        r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not ([A-Z]\w*)",
        _module_input,
    ),
    Rule("none", "TypeError", r"^'(NoneType)' object is not subscriptable", _subscript),
    Rule("method-not-called", "TypeError", r"^'(\w*(?:method|function)\w*)' object is not subscriptable", _subscript),
    Rule("not-subscriptable", "TypeError", r"^'(\w+)' object is not subscriptable", _subscript),
    Rule(
        "none",
        "TypeError",
        r"^'NoneType' object is not iterable|cannot unpack non-iterable NoneType object",
        "A function that is called here returns nothing, where several values are expected: it "
        "ends without a `return`.",
    ),
    Rule(
        "method-not-called",
        "TypeError",
        r"cannot unpack non-iterable (?:builtin_function_or_method|method|function) object|"
        r"'(?:builtin_function_or_method|method|function)' object is not iterable",
        "A method is named here but not called: `x.size()` needs its parentheses; `x.shape` needs none.",
    ),
    Rule(
        "not-iterable",
        "TypeError",
        r"^'(int|float)' object is not iterable",
        "A loop needs something to go through, and this is a number ({1}): `range(n)` gives 0 to n - 1.",
    ),
    Rule(
        "not-iterable",
        "TypeError",
        r"cannot unpack non-iterable (\w+) object|iteration over a 0-d tensor|^'(\w+)' object is not iterable",
        "One thing is given where several are expected: there is nothing to unpack or to go through.",
    ),
    Rule("none", "TypeError", r"'NoneType' object is not callable", "What you call here is None."),
    Rule("unpack", "ValueError", r"too many values to unpack \(expected (\d+)", _unpack),
    Rule("unpack", "ValueError", r"not enough values to unpack \(expected (\d+)", _unpack),
    Rule(
        "list-index",
        "IndexError",
        r"list (?:assignment )?index out of range",
        "The list has no entry at this index yet: a new list `[]` is empty. Use `append`, or start "
        "from `torch.zeros(…)`.",
    ),
    Rule(
        "tuple-index",
        "IndexError",
        r"tuple index out of range",
        lambda r, m: (
            "The tensor has fewer dimensions than this index of its `.shape` needs." if ".shape[" in r.line else None
        ),
    ),
    Rule(
        "tuple-index",
        "IndexError",
        r"tuple index out of range",
        "There are fewer entries than this index needs, maybe none at all.",
    ),
    Rule(
        "string",
        "TypeError",
        r"must be Tensor, not str|got \((?:Tensor, )?str\b|type must be.*but got str|could not convert string to float",
        "A text in quotation marks is given where a number or tensor belongs.",
    ),
)
