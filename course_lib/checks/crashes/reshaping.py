"""view, permute and other changes of shape, and dimensions that a tensor does not have."""

import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


def _elements(raised: Raised, match: re.Match[str]) -> str:
    sizes, entries = [int(size) for size in match[1].split(", ") if size], int(match[2])
    known = 1
    for size in sizes:
        known *= abs(size)
    if -1 in sizes:
        return (
            f"The tensor has {entries:,} entries, which the sizes given, {known:,} together, do not divide: -1 has no "
            "whole size to take. Is each size the one you mean, and is something in the tensor that does not belong?"
        )
    return (
        f"The tensor has {entries:,} entries, but the shape ({match[1]}) has {known:,}: a "
        f"reshape can neither add nor drop "
        "any. Is each size one of this very tensor, and does one miss or occur twice?"
    )


def _permute(raised: Raised, match: re.Match[str]) -> str:
    return (
        f"`permute` puts all dimensions in a new order: the tensor has {match[1]}, and you name "
        f"{match[2]}. Each must occur "
        "exactly once."
    )


def _beyond(raised: Raised, match: re.Match[str]) -> str | None:
    low, high, given = (int(match[i]) for i in (1, 2, 3))
    if low > high:
        return None
    if low == -1 and high == 0 and raised.calls("cat", "concat", "concatenate", "stack"):
        first = raised.calls("cat", "concat", "concatenate", "stack")[0]
        return (
            f"`dim={given}`, but the first tensor in `{raised.text(first)}` has only one dimension. All "
            f"tensors must have the "
            "same number: give it the missing one first, such as `torch.full((B, 1), …)`."
        )
    count = high + 1
    if count == 1:
        return f"Dimension {given} is asked of a tensor that has only one."
    return f"Dimension {given} is asked of a tensor that has {count}, numbered from {low} to {high}."


_OUT_OF_RANGE = r"Dimension out of range \(expected to be in range of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)"


RULES = (
    Rule(
        "view-after-transpose",
        "RuntimeError",
        r"view size is not compatible with input tensor's size and stride",
        "After a transpose, permute or slice the entries no longer lie in order in memory, and "
        "`view` cannot go over them: "
        "use `reshape` instead.",
    ),
    Rule("number-of-elements", "RuntimeError", r"shape '\[([-\d, ]*)\]' is invalid for input of size (\d+)", _elements),
    Rule(
        "number-of-elements",
        "RuntimeError",
        r"unflatten: Provided sizes \[([-\d, ]*)\] don't multiply up to the size of dim -?\d+ \((\d+)\)",
        "The sizes [{1}] do not multiply to the {2} entries of the dimension that you split.",
    ),
    Rule(
        "number-of-elements",
        "RuntimeError",
        r"only one dimension can be inferred",
        "Only one size may be -1: the others must be given.",
    ),
    Rule(
        "ragged-list",
        "ValueError",
        r"expected sequence of length (\d+) at dim (\d+) \(got (\d+)\)",
        "The rows of this list have different lengths, {1} and {3}: a tensor's rows are all equally long.",
    ),
    Rule(
        "split-sizes",
        "RuntimeError",
        r"split_with_sizes expects split_sizes to sum exactly to (\d+).*got split_sizes=\[([\d, ]*)\]",
        "The parts [{2}] do not add up to the {1} entries of the dimension that you split.",
    ),
    Rule(
        "permute",
        "RuntimeError",
        r"permute\(sparse_coo\): number of dimensions.*input\.dim\(\) = (\d+) is not equal to len\(dims\) = (\d+)",
        _permute,
    ),
    Rule(
        "permute",
        "TypeError",
        r"permute\(\): argument 'dims' \(position 1\) must be tuple of ints, not Tensor",
        "`permute` changes the order of *dimensions*. To change the order of the entries along one of them, index it: "
        "`x[:, order]`.",
    ),
    Rule(
        "permute",
        "RuntimeError",
        r"permute\(\): duplicate dims are not allowed",
        "`permute` names a dimension twice: each must occur exactly once.",
    ),
    Rule(
        "triangle-rank",
        "RuntimeError",
        r"tri[ul]: input tensor must have at least 2 dimensions",
        "A triangle is cut from a square, and this tensor has only one dimension: start from `torch.ones(size, size)`.",
    ),
    Rule("dimension-out-of-range", "IndexError", _OUT_OF_RANGE, _beyond),
    Rule(
        "interpolate-rank",
        "ValueError",
        r"Input and output must have the same number of spatial dimensions, but got input with spatial dimensions of "
        r"\[([\d, ]*)\] and output size of \(([\d, ]*)\)",
        "`F.interpolate` resizes what comes after batch and channels: here that is [{1}], but the "
        "size asked for is ({2}). Give the "
        "grid its rows and columns first: (1, d, rows, columns).",
    ),
    Rule(
        "repeat",
        "RuntimeError",
        r"Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor",
        "`repeat` needs a number for each dimension of the tensor, 1 where it stays as it is: `x.repeat(B, 1, 1)`.",
    ),
    Rule(
        "interpolate-mode",
        "NotImplementedError",
        r"Input Error: Only 3D, 4D and 5D input Tensors supported \(got (\d)D\) for the modes: .*\(got (\w+)\)",
        (
            "`F.interpolate` has no mode `{2}` for a tensor with {1} dimensions: bilinear "
            "and bicubic take 4, (1, d, rows, columns), and linear takes 3."
        ),
    ),
    Rule(
        "interpolate-mode",
        "NotImplementedError ValueError",
        r"Got (\d)D input, but (\w+) mode needs (\d)D input",
        "`F.interpolate` with mode {2} takes {3} dimensions, batch and channels first, and this tensor has {1}.",
    ),
    Rule(
        "diagonal-rank",
        "RuntimeError",
        r"diag\(\): Supports 1D or 2D tensors\. Got (\d)D",
        (
            "`torch.diag` takes a vector or a matrix, and this tensor has {1} dimensions: "
            "`torch.diag_embed` makes a matrix of each last row."
        ),
    ),
    Rule(
        "negative-size",
        "RuntimeError",
        r"[Tt]rying to create tensor with negative dimension (-\d+)",
        "A tensor of size {1} is asked for: a difference of sizes came out negative.",
    ),
    Rule(
        "memory",
        "RuntimeError MemoryError",
        r"(?:not enough memory|can't allocate memory): you tried to allocate (\d+) bytes",
        (
            "A tensor of {1} bytes is asked for, far more than this exercise needs: does a "
            "dimension occur twice in a broadcast or an `expand`?"
        ),
    ),
)
