"""Masks, slices and copies that do not fit into a tensor."""

import ast
import re

from course_lib.checks.crashes.broadcasting import MISALIGNED
from course_lib.checks.crashes.products import products
from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


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
    advice = (
        "A mask (B, n_q, n_k) for scores (B, heads, n_q, n_k) needs a dimension for the heads, `mask[:, None]`."
        if not re.search(r"transpose|permute|\.m?T\b", text)
        else "Is the mask transposed? Its rows are the queries, and its columns the keys."
    )
    return (
        f"In `{text}` the mask does not line up with what it masks: along dimension {match[3]}, "
        f"counted from 0, they have "
        f"{match[2]} and {match[1]} entries. {advice}"
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


RULES = (
    Rule(
        "fold-sizes",
        "RuntimeError",
        r"expected size of input's dimension 2 to match the calculated number of sliding blocks [\d* ]+= (\d+), "
        r"but got input\.size\(2\)=(\d+)",
        "`F.fold` takes (B, C·p·p, N): its last dimension counts the patches, which would be {1}, and here it is {2}. "
        "Are tokens and features exchanged? `.transpose(1, 2)` exchanges them.",
    ),
    Rule(
        "align-corners",
        "ValueError",
        r"align_corners option can only be set with the interpolating modes",
        "This `mode` copies pixels and interpolates nothing, so it has no `align_corners`: the modes that take it are "
        "linear, bilinear, bicubic and trilinear.",
    ),
    Rule(
        "float-for-integer",
        "TypeError",
        r"expected size to be one of int or Tuple\[int\].*but got size with types .*float",
        "`size` counts pixels, so it takes integers, and here it gets floats: `/` always gives one; use `//` or "
        "`int(…)`.",
    ),
    Rule("copy-sizes", "RuntimeError", MISALIGNED, _copied),
    Rule("mask-dimensions", "RuntimeError", MISALIGNED, _masked),
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
        "slice-sizes",
        "RuntimeError",
        r"expand\(\w+\.\w+\{\[([\d, ]+)\]\}, size=\[([\d, ]+)\]\)",
        lambda raised, match: (
            None
            if raised.calls("expand", "expand_as")
            else f"What you assign has shape ({match[1]}), and the part that you assign it to has shape ({match[2]})."
        ),
    ),
    Rule(
        "fill",
        "RuntimeError",
        r"fill_ only supports 0-dimension value tensor but got tensor with (\d+) dimensions",
        "One number fills a tensor, and this is a tensor of {1} dimensions: `copy_` copies entry by entry.",
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
