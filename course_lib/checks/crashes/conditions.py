"""Conditions on tensors of several entries."""

import ast
import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


def _truth(raised: Raised, match: re.Match[str]) -> str:
    """What asks for one truth value: a condition, `and`, `or`, `not`, or Python's own max and min."""
    nodes = list(raised.nodes())
    if any(isinstance(node, ast.BoolOp) for node in nodes) and not _is_test(raised):
        return (
            "`and` and `or` need a single True or False, and a tensor has one for each entry. `&` and "
            "`|` combine entry by "
            "entry; put each comparison in parentheses."
        )
    if any(isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) for node in nodes) and not _is_test(raised):
        return (
            "`not` needs a single True or False, and a tensor has one for each entry: `~mask` inverts entry by entry."
        )
    for name in ("max", "min", "sorted"):
        if any(isinstance(call.func, ast.Name) for call in raised.calls(name)):
            return (
                f"Python's `{name}` compares whole rows of a tensor, which have no single order: "
                f"use the tensor's own `x.{name if name != 'sorted' else 'sort'}(…)`."
            )
    test = _test(raised)
    if isinstance(test, ast.Name | ast.Attribute):
        return (
            f"`if {raised.text(test)}:` asks for a single True or False, and a tensor has one for each "
            f"entry. To ask whether there "
            f"is one at all, write `if {raised.text(test)} is not None:`."
        )
    return (
        "A condition, or `bool(…)`, needs a single True or False, and a tensor has one for each "
        "entry. `.all()` or `.any()` makes one of them; "
        "to choose entry by entry, use `torch.where` or `masked_fill`."
    )


def _test(raised: Raised) -> ast.expr | None:
    tests = [n.test for n in raised.nodes() if isinstance(n, ast.If | ast.While | ast.IfExp | ast.Assert)]
    return tests[0] if len(tests) == 1 else None


def _is_test(raised: Raised) -> bool:
    """Whether the line is a condition on a plain name, with nothing joined in it."""
    return isinstance(_test(raised), ast.Name | ast.Attribute)


RULES = (
    Rule("tensor-truth", "RuntimeError", r"Boolean value of Tensor with more than one value is ambiguous", _truth),
    Rule(
        "tensor-truth",
        "RuntimeError",
        r"Boolean value of Tensor with no values is ambiguous",
        "A condition on an empty tensor is neither True nor False: ask for its size, or use `.any()`.",
    ),
)
