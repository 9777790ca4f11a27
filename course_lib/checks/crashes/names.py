"""Names and imports that do not exist."""

import difflib
import re

import torch
from torch import Tensor, nn

from course_lib.cards.exercise_index import exercises
from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule

_IMPORTS = {
    "F": "import torch.nn.functional as F",
    "nn": "from torch import nn",
    "np": "import numpy as np",
    "math": "import math",
    "torch": "import torch",
    "plt": "import matplotlib.pyplot as plt",
    "copy": "import copy",
    "random": "import random",
    "Tensor": "from torch import Tensor",
    "functools": "import functools",
    "itertools": "import itertools",
    "reduce": "from functools import reduce",
    "partial": "from functools import partial",
}


_SIZE = re.compile(
    r"[BbNnDdHhTtLlMmCcKkSV]|batch\w*|seq\w*|[nd]_\w+|num_\w+|\w*(?:len|length|size|dim|heads|width|height|vocab)|dk|dv"
)


_EINOPS = "is not part of this course: `unflatten`, `flatten`, `transpose` and `expand` do the same."
_INFINITY = 'Python knows no name for infinity: write `float("inf")`.'
_KNOWN = {
    "np": (
        "`np` is not imported, and here it should not be: NumPy knows no gradients. Tensors have the same functions: "
        "`torch.exp(x)`, `x.max()`."
    ),
    "einops": f"einops {_EINOPS}",
    "rearrange": f"`rearrange` of einops {_EINOPS}",
    "inf": _INFINITY,
    "Inf": _INFINITY,
    "infinity": _INFINITY,
    "null": "`null` is called `None` in Python.",
    "none": "`none` is written `None` in Python.",
    "true": "`true` is written `True` in Python.",
    "false": "`false` is written `False` in Python.",
    "self": (
        "`self` is the first parameter of the methods of a class: `def …(self, …)`. In a plain function there is none, "
        "so leave it out."
    ),
}


def _missing(raised: Raised, match: re.Match[str]) -> str | None:
    name = match[1]
    if name in _KNOWN:
        return _KNOWN[name]
    if name in _IMPORTS:
        return f"`{name}` is not imported in this notebook: `{_IMPORTS[name]}` in a cell above."
    if any(name == exercise["name"] for unit in exercises().values() for exercise in unit["exercises"]):
        return (
            f"`{name}` is an answer of this course, and is not defined here: run the cell "
            f"that defines or imports it first."
        )
    for module, prefix in ((nn, "nn"), (torch, "torch")):
        if f"{name}(" in raised.line and hasattr(module, name):
            return f"`{name}` belongs to a module: write `{prefix}.{name}`."
    same = [argument for argument in raised.arguments if argument.lower() == name.lower()]
    if near := same or difflib.get_close_matches(name, [*raised.arguments], n=1, cutoff=0.75):
        return f"Nothing here is called `{name}`: did you mean the argument `{near[0]}`? Upper and lower case count."
    if inside := [argument for argument in raised.arguments if name.lower() in argument.lower().split("_")]:
        similar = " and ".join(f"`{argument}`" for argument in inside)
        return f"Nothing here is called `{name}`. The arguments with this word are {similar}."
    if raised.words(r"\bself\.") and re.search(rf"(?<![\w.]){re.escape(name)}\b", raised.line):
        return (
            f"Nothing here is called `{name}`. What `__init__` keeps for a module belongs to the "
            f"object: assign it there as `self.{name}`, and read it here "
            f"as `self.{name}`."
        )
    if _SIZE.fullmatch(name) and (sizes := _sizes(raised)):
        return (
            f"Nothing is called `{name}` when this line runs: a name must be given a value first. Sizes come from the "
            f"arguments, such as `{sizes}`."
        )
    return (
        f"Nothing is called `{name}` when this line runs: is it misspelled, or given a value only "
        f"later or in another function? "
        f"In a module, what `__init__` keeps is read as `self.{name}`."
    )


def _sizes(raised: Raised) -> str:
    """x.shape[-1], of the first argument that is a tensor."""
    return next((f"{name}.shape[-1]" for name, value in raised.arguments.items() if isinstance(value, Tensor)), "")


def _unbound(raised: Raised, match: re.Match[str]) -> str:
    name = match[1]
    return (
        f"`{name}` is read here but was never given a value on the way: if a line under an `if` or "
        f"in a loop gives it one, that line did "
        "not run this time. Give it a value in every case."
    )


RULES = (
    Rule(
        "not-imported",
        "NameError",
        (
            r"name '(F|nn|math|torch|plt|copy|random|Tensor|functools|itertools|reduce|"
            r"partial|rearrange|einops)' is not defined"
        ),
        _missing,
    ),
    Rule("unknown-name", "NameError", r"name '(\w+)' is not defined", _missing),
    Rule(
        "used-before-assignment",
        "UnboundLocalError",
        r"(?:cannot access local variable|local variable) '(\w+)'",
        _unbound,
    ),
    Rule("used-before-assignment", "NameError", r"cannot access free variable '(\w+)'", _unbound),
    Rule(
        "not-installed",
        "ModuleNotFoundError",
        r"No module named '([\w.]+)'",
        "`{1}` is not installed where this runs: write it with torch and Python alone.",
    ),
    Rule(
        "not-installed",
        "ImportError",
        r"cannot import name '(\w+)' from '([\w.]+)'",
        "`{2}` has nothing called `{1}`: is it misspelled?",
    ),
)
