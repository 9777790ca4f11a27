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
        for side in (node.left, node.right):
            if reduction := _reduction(side):
                inner = raised.text(reduction)
                return (
                    f"`{inner}` loses the dimension that it runs over, so it no longer lines up with the other side. "
                    f"Keep that dimension with size 1: `{inner[:-1]}, keepdim=True)`."
                )
    return None


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


def _copied(raised: Raised, match: re.Match[str]) -> str | None:
    if not (text := raised.call_text("copy_")):
        return None
    return (
        f"`{text}` copies into a tensor of another size: {match[1]} entries along a dimension meet "
        f"{match[2]}. Take the "
        "part that belongs there, such as its own rows."
    )


def _masked(raised: Raised, match: re.Match[str]) -> str | None:
    """A mask in the only part of the line that broadcasts."""
    text = raised.call_text("masked_fill", "masked_fill_")
    if not text or products(raised) or any(isinstance(node, ast.BinOp) for node in raised.nodes()):
        return None
    return (
        f"In `{text}` the mask does not line up with what it masks: along dimension {match[3]}, "
        f"counted from 0, they have "
        f"{match[2]} and {match[1]} entries. A mask (B, n_q, n_k) for scores (B, heads, n_q, n_k) "
        f"needs a dimension for the "
        "heads, `mask[:, None]`."
    )


def _mask_of_attention(raised: Raised, match: re.Match[str]) -> str:
    mask, scores = match[1], match[2]
    extra = mask.count(",") - scores.count(",")
    if extra > 0 and mask.startswith("1, " * extra):
        return (
            f"Your mask has {extra} dimension{'s' if extra > 1 else ''} more than the scores: it is "
            f"({mask}), and they are ({scores}). "
            f"Take the part without {'them' if extra > 1 else 'it'}: `mask[{', '.join('0' * extra)}]`."
        )
    return (
        f"Your mask is ({mask}) and the scores are ({scores}): lined up from the last dimension, "
        f"each size of the mask must be that "
        "of the scores, or 1, and it may not have more dimensions."
    )


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
    return (
        f"Two tensors {'in this line ' if raised.line else ''}do not line up: along dimension "
        f"{match[3]}, counted from 0, one has {match[1]} entries "
        f"and the other {match[2]}. Lined up from the last dimension, sizes must be equal or 1."
    )


def _assigned(raised: Raised, match: re.Match[str]) -> str:
    there, given = match[1], match[2]
    if re.search(r"\[[^\]]*:[^\]]*\]\s*=[^=]", raised.line):
        return (
            f"The slice on the left has {there} entries along dimension {match[3]}, but what you assign "
            f"to it has {given}: "
            "cut it to the size of the slice, or change the slice."
        )
    return (
        f"A dimension of size {given} cannot be expanded to {there}: only a dimension of size 1 can. Lined up from the "
        "last one, the dimensions have to be equal or 1."
    )


_PATTERN = r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton dimension (\d+)"

RULES = (
    Rule("keepdim", "RuntimeError", _PATTERN, _keepdim),
    Rule("copy-sizes", "RuntimeError", _PATTERN, _copied),
    Rule("mask-dimensions", "RuntimeError", _PATTERN, _masked),
    Rule("broadcast", "RuntimeError", _PATTERN, _shapes),
    Rule("keepdim", "RuntimeError", _PATTERN, lambda r, m: None if products(r) else _reduced_before(r, m)),
    Rule("broadcast", "RuntimeError", _PATTERN, _any),
    Rule(
        "slice-sizes",
        "RuntimeError",
        r"The expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\) at non-singleton dimension "
        r"(\d+)",
        _assigned,
    ),
    Rule(
        "slice-sizes",
        "RuntimeError",
        (
            r"shape mismatch: value tensor of shape \[([\d, ]*)\] cannot be broadcast to "
            r"indexing result of shape \[([\d, ]*)\]"
        ),
        "What you assign has shape ({1}), but the part that you assign it to has shape ({2}).",
    ),
    Rule(
        "mask-dimensions",
        "IndexError",
        (
            r"The shape of the mask \[([\d, ]*)\] at index (\d+) does not match the shape of "
            r"the indexed tensor \[([\d, ]*)\]"
        ),
        "An index of booleans must have the tensor's own shape, ({3}), and yours is ({1}): it does not broadcast. "
        "`masked_fill` and `torch.where` do.",
    ),
    Rule(
        "mask-dimensions",
        "ValueError",
        (
            r"a mask of shape \(([\d, ]+)\) does not broadcast to the scores, whose shape "
            r"\(..., n_q, n_k\) is \(([\d, ]+)\)"
        ),
        _mask_of_attention,
    ),
    Rule(
        "in-place-broadcast",
        "RuntimeError",
        r"output with shape \[([\d, ]*)\] doesn't match the broadcast shape \[([\d, ]*)\]",
        "An operation in place keeps the tensor's shape, ({1}), but its result here would be "
        "({2}): write `x = x + y` instead of "
        "`x += y`.",
    ),
    Rule(
        "entry-assigned",
        "RuntimeError",
        r"expand\(\w+\.\w+\{\[([\d, ]+)\]\}, size=\[\]\)",
        "A single entry on the left gets a tensor of shape ({1}): assign one number, or a part of that shape.",
    ),
    Rule(
        "expand",
        "RuntimeError",
        r"expand\(.*\): the number of sizes provided \((\d+)\) must be greater or equal to the "
        r"number of dimensions in the "
        r"tensor \((\d+)\)",
        "`expand` needs a size for each dimension: there are {2}, and it got {1}. -1 keeps a dimension as it is.",
    ),
)
