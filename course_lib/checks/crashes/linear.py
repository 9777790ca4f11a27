"""A linear layer that gets another number of features than it was made for."""

import re

from torch import Tensor

from course_lib.checks.crashes.products import FLAT
from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


def _features(raised: Raised, match: re.Match[str]) -> str:
    last, expected = match[2], match[3]
    return (
        f"{_input(raised, match)} has {last} features (its last dimension), but the layer or matrix that it meets "
        f"expects {expected}: for an nn.Linear that is its first size, `in_features`."
    )


def _input(raised: Raised, match: re.Match[str]) -> str:
    """The argument that the line alone hands to a layer, if torch saw just its rows and features."""
    inputs = [raised.text(call.args[0]) for call in raised.calls() if len(call.args) == 1]
    for name, value in raised.arguments.items():
        if name in inputs and isinstance(value, Tensor) and _rows_and_features(value) == match.group(1, 2):
            return f"`{name}` {tuple(value.shape)}"
    return "What goes in"


def _rows_and_features(value: Tensor) -> tuple[str, str]:
    return str(value.shape[:-1].numel()), str(value.shape[-1]) if value.dim() else ""


RULES = (Rule("linear-sizes", "RuntimeError", FLAT, _features),)
