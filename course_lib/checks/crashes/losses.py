"""Losses that get logits and targets of other shapes, and layers that get other sizes."""

import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


def _target_size(raised: Raised, match: re.Match[str]) -> str:
    name = "F.nll_loss" if raised.calls("nll_loss") else "F.cross_entropy"
    return (
        f"`{name}` reads dimension 1 of the logits as the classes, so for logits (B, n, "
        f"vocab) it looks for targets "
        f"({match[1]}) and gets ({match[2]}). Give it rows: `logits.flatten(0, 1)` and `targets.flatten()`."
    )


_DROPOUT = "`nn.Dropout` takes a probability; the tensor is given when the layer is called, `self.drop(x)`."

RULES = (
    Rule(
        "cross-entropy-shape",
        "RuntimeError",
        r"Expected floating point type for target with class probabilities",
        "The logits have the same shape as the targets, which are then taken for probabilities. "
        "Logits have one dimension more: a "
        "number for each class.",
    ),
    Rule("cross-entropy-shape", "RuntimeError", r"Expected target size \[([\d, ]+)\], got \[([\d, ]+)\]", _target_size),
    Rule(
        "cross-entropy-shape",
        "ValueError",
        r"Expected input batch_size \((\d+)\) to match target batch_size \((\d+)\)",
        (
            "The loss gets {1} rows of logits but {2} targets. Both need the same rows in the same "
            "order: `logits.flatten(0, 1)` goes "
            "with `targets.flatten()`."
        ),
    ),
    Rule(
        "cross-entropy-shape",
        "ValueError",
        r"For 1D input, 1D target must have size 1, but got target size: (\d+)",
        "The logits have one dimension here, which the loss takes for the scores of a single token, and there are {1} "
        "targets. Keep the vocabulary as the last dimension: `logits.flatten(0, 1)` has a row for each target.",
    ),
    Rule(
        "class-too-large",
        "IndexError",
        r"Target (-?\d+) is out of bounds",
        "A target is {1}, and the logits have no class of that number: is dimension 1 of the logits the classes?",
    ),
    Rule(
        "layer-norm-sizes",
        "RuntimeError",
        (
            r"Given normalized_shape=\[([\d, ]*)\], expected input with shape \[\*, ?[\d, "
            r"]*\],? but got input of size ?\[([\d, ]*)\]"
        ),
        "The norm is made for tokens of {1} features, and its input has shape ({2}): the last dimension must be {1}.",
    ),
    Rule(
        "conv-channels",
        "RuntimeError",
        (
            r"Given groups=\d+, weight of size \[(\d+), (\d+)[\d, ]*\], expected input\[([\d, "
            r"]*)\] to have (\d+) channels, but got (\d+) channels instead"
        ),
        (
            "The convolution expects {4} channels, and its input ({3}) has {5} in dimension "
            "1: is the order (batch, channels, …)?"
        ),
    ),
    Rule(
        "conv-rank",
        "RuntimeError",
        r"Expected (\d)D \(unbatched\) or (\d)D \(batched\) input to conv\dd, but got input of size: \[([\d, ]*)\]",
        "This convolution takes {2} dimensions, batch and channels first, and its input is ({3}).",
    ),
    Rule(
        "dropout-probability",
        "RuntimeError",
        r"Boolean value of Tensor",
        lambda raised, match: _DROPOUT if raised.calls("Dropout") else None,
    ),
    Rule(
        "loss-class",
        "RuntimeError",
        r"Boolean value of Tensor",
        lambda raised, match: (
            (
                "`nn.CrossEntropyLoss` is a class: make the loss with its options first, and "
                "then call it with logits and targets. `F.cross_entropy(logits, targets, …)` "
                "does both."
            )
            if raised.calls("CrossEntropyLoss")
            else None
        ),
    ),
    Rule(
        "padding",
        "RuntimeError",
        r"Padding length (?:should be less than or equal to two times the input dimension|must be divisible by 2)",
        ("`F.pad` takes two numbers for each dimension that it pads, starting from the last, and these do not fit."),
    ),
)
