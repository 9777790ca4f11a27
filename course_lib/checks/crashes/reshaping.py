"""view, permute, cat, stack and indices that do not fit."""

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
        "any. Does a dimension miss, or occur twice?"
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
    return f"You name dimension {given}, but the tensor has {count}: they are numbered from {low} to {high}."


def _not_tensor(raised: Raised, match: re.Match[str]) -> str | None:
    place, kind = int(match[1]), match[2]
    if kind in ("tuple", "list"):
        return (
            f"`cat` and `stack` join tensors, but entry {place} of the list is a {kind} of several: "
            f"join their first parts, then "
            "their second ones, each by itself."
        )
    if kind in ("int", "float", "bool"):
        return (
            f"`cat` joins tensors, and entry {place} of the list is a number ({kind}). Make a tensor of "
            f"it that has the shape of "
            "the others but for one dimension, with `torch.full((rows, 1), value)`."
        )
    return f"`cat` and `stack` join tensors, and entry {place} of the list is of type {kind}."


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
        "too-many-indices",
        "IndexError",
        r"too many indices for tensor of dimension (\d+)",
        "There are more indices than dimensions: this tensor has {1}.",
    ),
    Rule(
        "index-of-number",
        "IndexError",
        r"invalid index of a 0-dim tensor|slice\(\) cannot be applied to a 0-dim tensor",
        "This tensor is a single number, without dimensions, so there is nothing to index in it.",
    ),
    Rule(
        "cat-of-pairs",
        "TypeError",
        r"expected Tensor as element (\d+) in argument 0, but got (tuple|list)",
        _not_tensor,
    ),
    Rule(
        "cat-of-numbers",
        "TypeError",
        r"expected Tensor as element (\d+) in argument 0, but got (int|float|bool)",
        _not_tensor,
    ),
    Rule(
        "none",
        "TypeError",
        r"expected Tensor as element (\d+) in argument 0, but got NoneType",
        "Entry {1} of what you join is None: the name has no tensor here. Handle that case first, with `if … is None`.",
    ),
    Rule("cat-of-numbers", "TypeError", r"expected Tensor as element (\d+) in argument 0, but got (\w+)", _not_tensor),
    Rule(
        "cat-needs-list",
        "TypeError",
        r"(cat|stack|concat)\(\): argument 'tensors' \(position 1\) must be tuple of Tensors, not Tensor",
        "`torch.{1}` takes *one* list of tensors: write `torch.{1}([a, b], dim=…)` with square brackets.",
    ),
    Rule(
        "cat-needs-list",
        "TypeError",
        r"(cat|stack|concat)\(\): argument 'tensors' \(position 1\) must be tuple of Tensors, not (\w+)",
        "`torch.{1}` takes a list of tensors, and gets a {2}: write it in square brackets, `torch.{1}([…], dim=…)`.",
    ),
    Rule(
        "cat-needs-list",
        "TypeError",
        r"(cat|stack|concat)\(\) (?:received an invalid combination of arguments|takes \d+ positional arguments?)",
        "`torch.{1}` takes *one* list of tensors, and then the dimension: `torch.{1}([a, b], dim=…)`.",
    ),
    Rule(
        "cat-dimensions",
        "RuntimeError",
        r"zero-dimensional tensor \(at position (\d+)\) cannot be concatenated",
        "Entry {1} of what you join is a single number, without dimensions: `torch.stack` joins numbers to a vector.",
    ),
    Rule(
        "cat-dimensions",
        "RuntimeError",
        r"Tensors must have same number of dimensions: got (\d+) and (\d+)",
        "`cat` joins tensors with the same number of dimensions, and these have {1} and {2}. "
        "Insert the missing one, with "
        "`x[:, None]` or `x.unsqueeze(dim)`, or expand it over the batch.",
    ),
    Rule(
        "cat-sizes",
        "RuntimeError",
        r"Sizes of tensors must match except in dimension (\d+)\. Expected size (\d+) but got size "
        r"(\d+) for tensor number "
        r"(\d+)",
        "You join along dimension {1}, so all other sizes must be equal: one tensor has {2} where "
        "another has {3}. Is it the "
        "right dimension to join along, and is each tensor expanded to the batch?",
    ),
    Rule(
        "stack-sizes",
        "RuntimeError",
        (
            r"stack expects each tensor to be equal size, but got \[([\d, ]*)\] at entry 0 "
            r"and \[([\d, ]*)\] at entry (\d+)"
        ),
        "`stack` needs tensors of one shape, but entry 0 is ({1}) and entry {3} is ({2}). To join "
        "different lengths along an "
        "existing dimension, use `cat`.",
    ),
    Rule(
        "stack-empty",
        "RuntimeError",
        r"(stack|cat)(?:\(\))?:? expect(?:s|ed) a non-empty (?:TensorList|list of Tensors)",
        "The list that you join is empty: nothing was appended to it before this line.",
    ),
    Rule(
        "index-too-large",
        "IndexError",
        r"index (-?\d+) is out of bounds for dimension (\d+) with size 0",
        "You take entry {1} of something without entries: nothing was found here. Handle that case before you index.",
    ),
    Rule(
        "index-too-large",
        "IndexError",
        r"index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)",
        "Index {1} is too large: dimension {2}, counted from 0, has {3} entries. Is it the dimension that you mean?",
    ),
    Rule(
        "index-too-large",
        "IndexError RuntimeError",
        r"^index out of range in self$|index (\d+) is out of bounds for dimension \d+ with size \d+",
        "An index is as large as the table or larger: an `nn.Embedding(num, …)` has rows 0 to num "
        "- 1. Compare its first size "
        "with the largest index.",
    ),
    Rule(
        "index-type",
        "IndexError",
        r"tensors used as indices must be long, int, byte or bool tensors",
        "Indices must be integers or booleans, and these are floats: convert them with `.long()`.",
    ),
    Rule(
        "index-shapes",
        "IndexError",
        r"shape mismatch: indexing tensors could not be broadcast together with shapes \[([\d, ]*)\], \[([\d, ]*)\]",
        "The tensors in one index must broadcast with each other, and they have shapes ({1}) and ({2}).",
    ),
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
        "gather",
        "RuntimeError",
        r"Index tensor must have the same number of dimensions as (?:input|self) tensor",
        "`gather` needs an index with as many dimensions as the tensor: insert the missing one, "
        "`index[..., None]`, and drop it from the "
        "result.",
    ),
    Rule(
        "gather",
        "RuntimeError",
        (
            r"Size does not match at dimension (\d+) expected index \[([\d, ]*)\] to be "
            r"(?:smaller than|no larger than) self \[([\d, ]*)\]"
        ),
        (
            "The index of `gather` is ({2}) and the tensor ({3}): but for the dimension "
            "gathered along, no size of the index may be larger."
        ),
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
    Rule(
        "multinomial-count",
        "RuntimeError",
        r"cannot sample n_sample > prob_dist\.size\(-1\) samples without replacement",
        "`torch.multinomial` is asked for more samples than there are entries: for the next token it is one.",
    ),
    Rule(
        "multinomial-rank",
        "RuntimeError",
        r"prob_dist must be 1 or 2 dim",
        "`torch.multinomial` draws from each row of a matrix (B, vocab). These probabilities have "
        "more dimensions: take the last "
        "position first, `[:, -1]`.",
    ),
    Rule(
        "multinomial-weights",
        "RuntimeError",
        r"probability tensor contains either `inf`, `nan` or element < 0|invalid multinomial distribution",
        "`torch.multinomial` needs probabilities: none below 0, no inf or nan, and not all 0. "
        "Logits go through a softmax "
        "first.",
    ),
    Rule(
        "top-k-too-large",
        "RuntimeError",
        r"selected index k out of range",
        "`topk` asks for more entries than the dimension has.",
    ),
)
