"""Matrix products whose sizes do not meet."""

import ast
import re

from course_lib.checks.crashes.raised import Raised, called_name
from course_lib.checks.crashes.replay import Culprit, culprit
from course_lib.checks.crashes.rule import Rule

PRODUCTS = ("matmul", "mm", "bmm", "dot", "mv")


def products(raised: Raised) -> list[tuple[ast.expr, ast.expr]]:
    """The factors of each matrix product in the line."""
    found = [(n.left, n.right) for n in raised.nodes() if isinstance(n, ast.BinOp) and isinstance(n.op, ast.MatMult)]
    for call in raised.calls(*PRODUCTS):
        if len(call.args) == 2:
            found.append((call.args[0], call.args[1]))
        elif len(call.args) == 1 and isinstance(call.func, ast.Attribute):
            found.append((call.func.value, call.args[0]))
    return found


def is_product(found: Culprit) -> bool:
    node = found.node
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.MatMult)
    return isinstance(node, ast.Call) and called_name(node) in PRODUCTS


def _wrong_order(raised: Raised, match: re.Match[str]) -> str | None:
    found = culprit(raised)
    if found is None or not is_product(found) or len(found.operands) != 2:
        return None
    (left, one), (right, other) = found.operands
    plain = left.isidentifier() and right.isidentifier()
    if plain and len(one) == 2 <= len(other) and one[0] == other[-1]:
        return (
            f"`{left}` is {one} and `{right}` is {other}: the sizes that meet in a product must be equal, and they are "
            f"{one[-1]} and {other[-2]}. Rows of `{right}` are multiplied from the right: `{right} @ {left}`."
        )
    return None


def _sizes(raised: Raised, match: re.Match[str]) -> str | None:
    found = culprit(raised)
    if found is None or not is_product(found) or len(found.operands) != 2:
        return None
    (left, one), (right, other) = found.operands
    if min(len(one), len(other)) < 1:
        return None
    if one[:-2] != other[:-2] and len(one) > 2 and len(other) > 2:
        return (
            f"`{left}` is {one} and `{right}` is {other}: the dimensions before the last two are batches, and must be "
            "equal or 1."
        )
    meets = other[-2] if len(other) > 1 else other[0]
    hint = ""
    if len(other) > 1 and one[-1] == other[-1]:
        hint = f" Both have {one[-1]} last: should the second be transposed, `.transpose(-2, -1)`?"
    return (
        f"`{left}` is {one} and `{right}` is {other}: the last dimension of the first, {one[-1]}, must equal "
        f"{'the last but one' if len(other) > 1 else 'the only one'} of the second, {meets}.{hint}"
    )


def _may_be_layer(called: ast.expr) -> bool:
    """self.wq(x), layer(x), nn.Linear(3, 4)(x) or blocks[0](x), but no method of a tensor."""
    if isinstance(called, ast.Attribute):
        return isinstance(called.value, ast.Name) and called.value.id == "self"
    return True


def _rows_and_columns(raised: Raised, match: re.Match[str]) -> str | None:
    last, first = match[2], match[3]
    if products(raised) and any(_may_be_layer(call.func) for call in raised.calls()):
        return (
            f"In a product of this line {last} columns meet {first} rows: between two factors of `@` "
            f"(is their order right, should one be "
            f"transposed?) or in a layer whose `in_features` is {first}."
        )
    if products(raised):
        return (
            f"In a matrix product of this line the first factor has {last} columns and the second {first} rows: these "
            "must be equal. Look at the order of the factors, and at whether one should be transposed."
        )
    return None


def _batches(raised: Raised, match: re.Match[str]) -> str | None:
    (batch, inner), (other_batch, other_inner) = ([int(n) for n in match[i].split(", ")] for i in (1, 2))
    if batch != other_batch:
        return f"A matrix product multiplies {batch} matrices by {other_batch}: batches must have the same size, or 1."
    if not products(raised):
        return (
            f"A matrix product in a function that is called here meets {inner} columns with "
            f"{other_inner} rows: these must be equal."
        )
    return (
        f"In a matrix product of this line the first factor has {inner} columns and the second {other_inner} rows: "
        "these must be equal. Look at the order of the factors, and at whether one should be transposed with "
        "`.transpose(-2, -1)`."
    )


ADDED = r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)"


FLAT = r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)"


BATCHED = r"Expected size for first two dimensions of batch2 tensor to be: \[(\d+, \d+)\] but got: \[(\d+, \d+)\]"


_VECTOR = r"size mismatch, got input \((\d+)\), mat \((\d+)x(\d+)\), vec \((\d+)\)"


_DOT = r"inconsistent tensor size, expected tensor \[(\d+)\] and src \[(\d+)\]"


_ANY = "|".join((ADDED, FLAT, BATCHED, _VECTOR, _DOT))


RULES = (
    Rule("matmul-order", "RuntimeError", _ANY, _wrong_order),
    Rule("matmul-sizes", "RuntimeError", _ANY, _sizes),
    Rule("matmul-sizes", "RuntimeError", FLAT, _rows_and_columns),
    Rule("matmul-sizes", "RuntimeError", BATCHED, _batches),
    Rule(
        "matmul-sizes",
        "RuntimeError",
        _VECTOR,
        "A matrix of {2} × {3} is multiplied by a vector of {4} entries: it needs {3}. Two vectors make a table with "
        "`x[:, None] * y[None, :]`.",
    ),
    Rule(
        "matmul-sizes",
        "RuntimeError",
        _DOT,
        "The product of two vectors is a sum over pairs, and these have {1} and {2} entries.",
    ),
    Rule(
        "matmul-sizes",
        "RuntimeError",
        r"both arguments to (?:linear|matmul) need to be at least 1D, but they are (\d)D and (\d)D",
        "A matrix product needs tensors with dimensions, and one factor is a single number: use `*` for numbers.",
    ),
    Rule(
        "matmul-of-number",
        "TypeError",
        r"unsupported operand type\(s\) for @: (?:'Tensor' and '(?:int|float)'|'(?:int|float)' and 'Tensor')",
        "`@` multiplies matrices, and one side is a number: use `*`.",
    ),
)
