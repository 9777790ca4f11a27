"""Sums and products of tensors that do not broadcast, and reductions that lost a dimension."""

import ast
import re

from torch import Tensor

from course_lib.checks.crashes.products import products
from course_lib.checks.crashes.raised import Raised, called_name
from course_lib.checks.crashes.replay import culprit
from course_lib.checks.crashes.rule import Rule

_REDUCTIONS = ("sum", "mean", "var", "std", "amax", "amin", "max", "min", "norm", "logsumexp", "prod", "median")


_REDUCED = re.compile(
    r"(?<!\.)\b(means?|mu|avg|average|var|variance|std|sigma|max|maximum|max_values?|highest|"
    r"largest|biggest|min|minimum|"
    r"sums?|totals?|denom|denominator|normalizer)\b(?!\()"
)


_ELEMENTWISE = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def _keepdim(raised: Raised, match: re.Match[str]) -> str | None:
    """A reduction in the line, without keepdim, on one side of a sum or quotient."""
    found = culprit(raised)
    if found is None and products(raised):
        return None
    for node in raised.nodes():
        if (
            not isinstance(node, ast.BinOp)
            or not isinstance(node.op, _ELEMENTWISE)
            or (found and found.node is not node)
        ):
            continue
        for side, other in ((node.left, node.right), (node.right, node.left)):
            reduction = _reduction(side)
            if reduction and _reduced(reduction) in raised.text(other):
                inner = raised.text(reduction)
                return (
                    f"`{inner}` loses the dimension that it runs over, so it no longer lines up with the other side. "
                    f"Keep that dimension with size 1: `{inner[:-1]}, keepdim=True)`."
                )
    return None


def _reduced(reduction: ast.Call) -> str:
    """The name of what is reduced: x in torch.exp(x).sum(-1)."""
    on_torch = isinstance(reduction.func, ast.Attribute) and getattr(reduction.func.value, "id", "") in ("torch", "F")
    operand = reduction.args[0] if on_torch else reduction.func
    names = [node.id for node in ast.walk(operand) if isinstance(node, ast.Name) and node.id not in ("torch", "F")]
    return names[0] if names else "\0"


def _reduction(node: ast.expr) -> ast.Call | None:
    """x.sum(dim), torch.sum(x, dim=1) or x.max(dim)[0], not x.sum() and not one with keepdim."""
    if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.value, ast.Name):
        return _reduction(node.value)
    if not isinstance(node, ast.Call) or called_name(node) not in _REDUCTIONS:
        return None
    on_torch = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "torch"
    options = {option.arg for option in node.keywords}
    over = len(node.args) - on_torch or bool(options & {"dim", "axis"})
    return node if over and not options & {"keepdim", "keepdims"} and len(node.args) - on_torch < 2 else None


def _reduced_before(raised: Raised, match: re.Match[str]) -> str | None:
    """A name such as mean, where the sizes are those of an argument and of the same without one dimension."""
    names = list(dict.fromkeys(_REDUCED.findall(raised.line)))
    sizes = {match[1], match[2]}
    if not names or not any(_loses_one(value, sizes) for value in raised.arguments.values()):
        return None
    listed = " and ".join(f"`{name}`" for name in names)
    return (
        f"The sizes {match[1]} and {match[2]} do not line up. A mean, sum or maximum over a dimension loses it, unless "
        f"you keep it with size 1: write `keepdim=True` where you compute {listed}."
    )


def _loses_one(value: object, sizes: set[str]) -> bool:
    if not isinstance(value, Tensor):
        return False
    shape = tuple(value.shape)
    for place in range(len(shape)):
        rest = shape[:place] + shape[place + 1 :]
        pairs = zip(reversed(shape), reversed(rest), strict=False)
        if sizes in [{str(one), str(other)} for one, other in pairs if one != other]:
            return True
    return False


def _shapes(raised: Raised, match: re.Match[str]) -> str | None:
    found = culprit(raised)
    if found is None or len(found.operands) != 2:
        return None
    (left, one), (right, other) = found.operands
    return (
        f"`{left}` is {one} and `{right}` is {other}: lined up from the last dimension, sizes must be equal or 1, and "
        f"{match[1]} meets {match[2]}. A new dimension of size 1, as in `x[:, None]`, lets both broadcast."
    )


def _any(raised: Raised, match: re.Match[str]) -> str:
    reduced = any(_loses_one(value, {match[1], match[2]}) for value in raised.arguments.values())
    hint = (
        " If one of them is a sum, mean or maximum over a dimension, `keepdim=True` keeps that dimension."
        if reduced
        else ""
    )
    return (
        f"Two tensors {'in this line ' if raised.line else ''}do not line up: along dimension "
        f"{match[3]}, counted from 0, one has {match[1]} entries "
        f"and the other {match[2]}. Lined up from the last dimension, sizes must be equal or 1.{hint}"
    )


MISALIGNED = (
    r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)"
)


RULES = (
    Rule("keepdim", "RuntimeError", MISALIGNED, _keepdim),
    Rule("broadcast", "RuntimeError", MISALIGNED, _shapes),
    Rule("keepdim", "RuntimeError", MISALIGNED, lambda r, m: None if products(r) else _reduced_before(r, m)),
    Rule("broadcast", "RuntimeError", MISALIGNED, _any),
)
