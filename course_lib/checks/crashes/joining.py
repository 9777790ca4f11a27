"""cat and stack."""

import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule

_JOINING = ("cat", "stack", "concat", "concatenate", "block_diag", "hstack", "vstack")


def _not_tensor(raised: Raised, match: re.Match[str]) -> str | None:
    place, kind = int(match[1]), match[2]
    names = [name for name in _JOINING if raised.calls(name)]
    name = f"`{names[0]}`" if len(names) == 1 else "What joins tensors here"
    if kind in ("tuple", "list"):
        return (
            f"{name} takes tensors, but entry {place} is a {kind}. If it holds several tensors, join "
            f"their first parts, then their "
            "second ones, each by itself; if it holds numbers, make a tensor of it."
        )
    if kind in ("int", "float", "bool"):
        return (
            f"{name} takes tensors, and entry {place} is a number ({kind}). Make a tensor of it that has the shape of "
            "the others but for one dimension, with `torch.full((rows, 1), value)`."
        )
    return f"{name} takes tensors, and entry {place} is of type {kind}."


RULES = (
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
        "RuntimeError ValueError",
        r"(stack|cat)(?:\(\))?:? ?expect(?:s|ed) a non-empty (?:TensorList|list of Tensors)",
        "The list that you join is empty: nothing was appended to it before this line.",
    ),
)
