"""Transposes of tensors that are not matrices."""

import ast
import re

from course_lib.checks.crashes.products import ADDED, BATCHED, PRODUCTS, is_product, products
from course_lib.checks.crashes.raised import Raised, called_name
from course_lib.checks.crashes.replay import culprit
from course_lib.checks.crashes.rule import Rule

_BATCH_TRANSPOSED = (
    "`{0}.T` reverses *all* dimensions of a batched tensor. Use `{0}.transpose(-2, -1)` (or `{0}.mT`) to exchange "
    "the last two."
)


def _batch_transposed(raised: Raised, match: re.Match[str]) -> str | None:
    """A batch of several sequences, transposed: only a product of batches compares sizes as a sum does."""
    turned = {
        raised.text(part.value)
        for factors in products(raised)
        for part in factors
        if isinstance(part, ast.Attribute) and part.attr == "T"
    }
    if len(turned) != 1 or len(products(raised)) != 1:
        return None
    found = culprit(raised)
    if found is None and not _only_product(raised):
        return None
    if found and (not is_product(found) or all(len(shape) < 3 for _, shape in found.operands)):
        return None
    return _BATCH_TRANSPOSED.format(turned.pop())


def _only_product(raised: Raised) -> bool:
    """Whether nothing else in the line combines two tensors: it may be divided by a number."""
    for node in raised.nodes():
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            if not any(_is_number(side) for side in (node.left, node.right)):
                return False
        elif isinstance(node, ast.Call) and called_name(node) not in (*PRODUCTS, "sqrt", "softmax", "size"):
            return False
    return True


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return isinstance(node.func.value, ast.Name) and node.func.value.id == "math"
    return isinstance(node, ast.Constant) or (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant)
    )


RULES = (
    Rule("transpose-batch", "RuntimeError", "|".join((ADDED, BATCHED)), _batch_transposed),
    Rule(
        "transpose-batch",
        "RuntimeError",
        r"t\(\) expects a tensor with <= 2 dimensions, but self is (\d)D",
        "`.t()` is for matrices, and this tensor has {1} dimensions. `.transpose(-2, -1)` (or `.mT`) exchanges the "
        "last two.",
    ),
    Rule(
        "transpose-batch",
        "RuntimeError UserWarning DeprecationWarning",
        r"`x\.T` on tensors of dimension other than 2|tensor\.T is only supported on matrices",
        "`.T` reverses *all* dimensions of a batched tensor. Use `.transpose(-2, -1)` (or `.mT`) "
        "to exchange the last two.",
    ),
    Rule(
        "transpose-vector",
        "RuntimeError",
        r"tensor\.m[TH] is only supported on matrices.*Got (\d)-D",
        "`.mT` exchanges the last two dimensions, and this tensor has only {1}. `x[:, None]` makes a column of a "
        "vector.",
    ),
)
