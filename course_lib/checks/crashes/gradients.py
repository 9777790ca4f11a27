"""Gradients that cannot be computed, and tensors changed in place."""

import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


def _in_place(raised: Raised, match: re.Match[str]) -> str:
    if raised.calls("copy_", "fill_", "zero_", "normal_", "uniform_") and raised.words(r"\.(?:weight|bias)\b"):
        return (
            "A parameter is changed in place while torch records gradients. Copying a weight is not to "
            "be differentiated: do it inside "
            "`with torch.no_grad():`."
        )
    return (
        "A tensor whose gradient is asked for is changed in place (`+=`, `x[…] = …`, or a method "
        "with `_`). Make a new one instead, "
        "`x = x + y`; a parameter may be changed inside `with torch.no_grad():`."
    )


RULES = (
    Rule(
        "numpy-cuts-gradient",
        "RuntimeError",
        r"Can't call numpy\(\) on Tensor that requires grad",
        "NumPy knows no gradients. `.detach()`, which torch suggests, cuts the gradient off, "
        "so that nothing before "
        "this line can be trained: compute with torch instead (`x.max()`, `torch.exp(x)`). "
        "`.item()` is for a number that "
        "is only printed or returned.",
    ),
    Rule(
        "deepcopy-of-result",
        "RuntimeError",
        r"Only Tensors created explicitly by the user.*support the deepcopy protocol",
        "A result with a gradient cannot be copied with `deepcopy`: `x.clone()` copies it.",
    ),
    Rule(
        "no-gradient",
        "RuntimeError",
        r"element 0 of tensors does not require grad and does not have a grad_fn",
        "There is nothing to differentiate: no tensor behind this result was made with "
        "`requires_grad=True`, or the way to it "
        "was cut by `.detach()`, `.item()` or `torch.no_grad()`.",
    ),
    Rule(
        "backward-of-many",
        "RuntimeError",
        r"grad can be implicitly created only for scalar outputs",
        "`backward()` starts from a single number, and this tensor has several: pick the entry "
        "whose gradient you need, or sum "
        "them.",
    ),
    Rule(
        "backward-twice",
        "RuntimeError",
        r"Trying to backward through the graph a second time",
        (
            "`backward()` frees what it needs, so it runs once for each forward pass: "
            "compute the result again before the second."
        ),
    ),
    Rule(
        "leaf-in-place",
        "RuntimeError",
        r"a leaf Variable that requires grad (?:is being used in an in-place operation|has been used in an in-place)|"
        r"a view of a leaf Variable that requires grad is being used in an in-place operation",
        _in_place,
    ),
    Rule(
        "changed-in-place",
        "RuntimeError",
        r"one of the variables needed for gradient computation has been modified by an inplace operation",
        "A tensor that the gradient needs was changed in place (`+=`, `x[…] = …`, or a method with "
        "`_`) after it was used: make "
        "a new tensor instead, `x = x + y`.",
    ),
    Rule(
        "changed-in-place",
        "RuntimeError",
        (
            r"Output \d+ of \w+ is a view and (?:is being modified|its base or another view "
            r"of its base has been modified) inplace"
        ),
        "Parts of a tensor, as a loop over its rows gives them, cannot be changed in place while "
        "torch records gradients: build a "
        "new tensor, such as with `torch.stack`.",
    ),
    Rule(
        "written-to-expanded",
        "RuntimeError",
        r"unsupported operation: (?:some elements of the input tensor and the written-to tensor "
        r"refer to a single memory location"
        r"|more than one element of the written-to tensor refers to a single memory location)",
        (
            "An expanded tensor is one row seen many times, so it cannot be written to: "
            "`.clone()` makes real copies of it."
        ),
    ),
    Rule(
        "inference-tensor",
        "RuntimeError",
        r"Inference tensors cannot be saved for backward|Inplace update to inference tensor",
        "A tensor made under `torch.inference_mode()` can be used in no gradient afterwards: use "
        "`torch.no_grad()`, or a "
        "`.clone()` of it.",
    ),
    Rule(
        "no-derivative",
        "RuntimeError NotImplementedError",
        r"derivative for aten::(\w+) is not implemented",
        "torch has no derivative for `{1}`, so no gradient passes through it. `//`, for one, cuts off decimals: divide "
        "with `/`.",
    ),
    Rule(
        "leaf-not",
        "RuntimeError",
        r"you can only change requires_grad flags of leaf variables",
        "Only a parameter or a tensor that you made can be frozen or unfrozen, not the result of a "
        "computation: `.detach()` "
        "cuts a result off.",
    ),
)
