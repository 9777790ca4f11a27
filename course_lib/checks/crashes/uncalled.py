"""Functions and layers that are named but not called, texts and other values where a tensor belongs."""

import re

from torch import nn

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule

_FUNCTION = r"(?:builtin_function_or_method|method|function|method_descriptor)"


def _layer(raised: Raised, match: re.Match[str]) -> str | None:
    sign, kind = match[1], match[2] or match[3]
    if not hasattr(nn, kind):
        return f"One side of `{sign}` is an object of type {kind}, not a tensor. If it is a layer, call it: `layer(x)`."
    return f"One side of `{sign}` is a layer itself ({kind}), not its result: call it with the tensor, `layer(x)`."


def _input(raised: Raised, match: re.Match[str]) -> str | None:
    kind = match[2]
    if not hasattr(nn, kind):
        return (
            f"A layer or function here gets an object of type {kind} instead of a tensor. If "
            f"it is a layer, call it: `layer(x)`."
        )
    if f"{kind}(" not in raised.line:
        return (
            f"A layer or function here gets a layer ({kind}) instead of a tensor: call the "
            f"layer, `layer(x)`, and pass on its result."
        )
    return (
        f"A layer or function here gets a layer ({kind}) instead of a tensor: make the layer first and then call it, "
        f"`nn.{kind}()(x)`, or make it in `__init__`."
    )


def _indexed(raised: Raised, match: re.Match[str]) -> str | None:
    kind = match[1]
    if kind in ("int", "float", "bool"):
        return f"This is a single number ({kind}), which has no entries to pick."
    if kind == "ellipsis":
        return "The `...` of the exercise is still here: replace it with your code."
    if kind == "Embedding":
        return (
            "An nn.Embedding is a layer, called with ids: `table(torch.arange(n))`. Its rows "
            "as a tensor are `table.weight[:n]`."
        )
    if hasattr(nn, kind):
        return f"A {kind} is a layer: it is called, `layer(x)`, and cannot be indexed."
    return f"An object of type {kind} cannot be indexed."


RULES = (
    Rule(
        "not-comparable",
        "TypeError",
        r"^'(\S+)' not supported between instances of '(\w+)' and '((?!NoneType|builtin|method|function)\w+)'",
        lambda raised, match: (
            None
            if match[2] in ("NoneType", "method", "function") or "_method" in match[2]
            else f"A {match[2]} and a {match[3]} are compared here (`{match[1]}`), which cannot be."
        ),
    ),
    Rule(
        "method-not-called",
        "TypeError",
        rf"^unsupported operand type\(s\) for ([^: ]+)[^:]*: (?:'{_FUNCTION}' and |'[\w.]+' and '{_FUNCTION}')",
        "One side of `{1}` is a function that was not called: write it with parentheses.",
    ),
    Rule(
        "method-not-called",
        "TypeError",
        rf"'{_FUNCTION}' and '\w+'$|'\w+' and '{_FUNCTION}'$",
        "A function or method in this line is compared but was not called: write it with parentheses.",
    ),
    Rule(
        "method-not-called",
        "TypeError",
        rf"^'{_FUNCTION}' object is not subscriptable",
        "A function is indexed here instead of its result: call it with parentheses first. An "
        "index comes after the call, "
        "`f(x)[0]`.",
    ),
    Rule(
        "method-not-called",
        "TypeError",
        rf"cannot unpack non-iterable {_FUNCTION} object|'{_FUNCTION}' object is not iterable",
        "A method is named here but not called: `x.size()` needs its parentheses; `x.shape` needs none.",
    ),
    Rule(
        "ellipsis",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^: ]+)[^:]*: (?:'ellipsis' and |'[\w.]+' and 'ellipsis')|"
        r"must be Tensor, not ellipsis",
        "The `...` of the exercise is still in this line, or in what it uses: replace it with your code.",
    ),
    Rule(
        "string",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^: ]+)[^:]*: (?:'str' and |'[\w.]+' and 'str')",
        "One side of `{1}` is a text (str), not a number: leave the quotation marks out.",
    ),
    Rule(
        "string",
        "TypeError ValueError",
        r"must be Tensor, not str|got \((?:Tensor, )?str\b|type must be.*but got str|could not convert string to float",
        "A text in quotation marks is given where a number or tensor belongs.",
    ),
    Rule(
        "module-not-called",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^: ]+)[^:]*: (?:'Tensor' and '([A-Z]\w+)'|'([A-Z]\w+)' and 'Tensor')",
        _layer,
    ),
    Rule(
        "module-for-tensor",
        "TypeError",
        r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not ([A-Z]\w*)$",
        _input,
    ),
    Rule(
        "class-for-object",
        "TypeError",
        r"^unsupported operand type\(s\) for ([^: ]+)[^:]*: (?:'type' and |'[\w.]+' and 'type')",
        "One side of `{1}` is a class: make an object of it first, with parentheses.",
    ),
    Rule("not-subscriptable", "TypeError", r"^'(\w+)' object is not subscriptable", _indexed),
    Rule(
        "not-iterable",
        "TypeError",
        r"cannot unpack non-iterable (\w+) object|iteration over a 0-d tensor|^'(\w+)' object is not iterable",
        "One thing is given where several are expected: there is nothing to unpack or to go through.",
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
)
