"""Conditions on tensors of several entries."""

import ast
import re

from torch import Tensor

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule

_EACH = "and a tensor has one for each entry"


def _truth(raised: Raised, match: re.Match[str]) -> str:
    """What asks for one truth value: a plain name as a condition, `and`, `not`, Python's own max, or a comparison."""
    bare = {raised.text(node) for test in _tests(raised) for node in _operands(test) if _is_name(node)}
    bare = {name for name in bare if _may_be_tensor(raised, name)}
    if len(bare) == 1:
        name = bare.pop()
        return (
            f"`{name}` as a condition asks for a single True or False, {_EACH}. To ask whether there is "
            f"one at all, write "
            f"`{name} is not None`."
        )
    if not _tests(raised):
        return _outside_conditions(raised)
    return (
        f"A condition needs a single True or False, {_EACH}. `.all()` or `.any()` makes one of "
        f"them; to choose entry by entry, "
        "use `torch.where` or `masked_fill`."
    )


def _outside_conditions(raised: Raised) -> str:
    nodes = list(raised.nodes())
    if any(isinstance(node, ast.BoolOp) for node in nodes):
        return (
            f"`and` and `or` need a single True or False, {_EACH}. `&` and `|` combine booleans entry "
            f"by entry, with each "
            "comparison in parentheses; to replace a missing value, write `b if a is None else a`."
        )
    if any(isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) for node in nodes):
        return f"`not` needs a single True or False, {_EACH}: `~mask` inverts entry by entry."
    for name, method in (("max", "max"), ("min", "min"), ("sorted", "sort"), ("all", "all"), ("any", "any")):
        if _calls_builtin(raised, name):
            return (
                f"Python's `{name}` goes through a tensor row by row, and a row is no single "
                f"value: use the tensor's own `x.{method}(…)`."
            )
    if _calls_builtin(raised, "bool"):
        return f"`bool(…)` needs a single True or False, {_EACH}: `.all()` or `.any()` makes one of them."
    return "A function that is called here needs a single number or truth value, and gets a tensor of several entries."


def _tests(raised: Raised) -> list[ast.expr]:
    return [node.test for node in raised.nodes() if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert)]


def _operands(test: ast.expr) -> list[ast.expr]:
    """What the condition joins with `and`, `or` and `not`."""
    if isinstance(test, ast.BoolOp):
        return [part for value in test.values for part in _operands(value)]
    return _operands(test.operand) if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else [test]


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)


def _may_be_tensor(raised: Raised, name: str) -> bool:
    """Whether a name in a condition can be what raised: an argument by its value, another name if nothing else can."""
    if name in raised.arguments:
        value = raised.arguments[name]
        return isinstance(value, Tensor) and value.numel() > 1
    return not any(isinstance(node, ast.IfExp) for node in raised.nodes())


def _calls_builtin(raised: Raised, name: str) -> bool:
    return any(isinstance(call.func, ast.Name) for call in raised.calls(name))


RULES = (
    Rule(
        "where-condition",
        "RuntimeError",
        r"where expected condition to be a boolean tensor, but got a tensor with dtype (\w+)",
        "The first argument of `torch.where` says where, in booleans, and here it holds numbers of type {1}: compare "
        "(`u < p`, `mask > 0`) or call `.bool()`.",
    ),
    Rule("tensor-truth", "RuntimeError", r"Boolean value of Tensor with more than one value is ambiguous", _truth),
    Rule(
        "tensor-truth",
        "RuntimeError",
        r"Boolean value of Tensor with no values is ambiguous",
        "A condition on an empty tensor is neither True nor False: ask for its size, or use `.any()`.",
    ),
)
