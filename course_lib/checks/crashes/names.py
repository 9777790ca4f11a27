"""Names and attributes that do not exist."""

import difflib
import re

import torch
from torch import Tensor, nn

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
    "einops": "import einops",
    "functools": "import functools",
    "itertools": "import itertools",
    "reduce": "from functools import reduce",
    "partial": "from functools import partial",
    "rearrange": "from einops import rearrange",
}
_IN_TORCH = (
    "softmax",
    "exp",
    "sqrt",
    "log",
    "relu",
    "matmul",
    "cat",
    "stack",
    "arange",
    "zeros",
    "ones",
    "tril",
    "triu",
    "tensor",
    "sin",
    "cos",
    "einsum",
)
_IN_NN = ("Linear", "Module", "Parameter", "ModuleList", "Dropout", "Embedding", "ReLU", "Sequential", "Conv2d")

_SIZE = re.compile(
    r"[BbNnDdHhTtLlMmCcKkSV]|batch\w*|seq\w*|[nd]_\w+|num_\w+|\w*(?:len|length|size|dim|heads|width|height|vocab)|dk|dv"
)


def _missing(raised: Raised, match: re.Match[str]) -> str | None:
    name = match[1]
    if name == "np":
        return (
            "`np` is not imported, and here it should not be: NumPy knows no gradients. Tensors have "
            "the same functions: "
            "`torch.exp(x)`, `x.max()`."
        )
    if name in _IMPORTS:
        return f"`{name}` is not imported in this notebook: `{_IMPORTS[name]}` in a cell above."
    if name in _IN_TORCH:
        return f"`{name}` is a function of torch: write `torch.{name}`, or call it on the tensor."
    if name in _IN_NN:
        return f"`{name}` belongs to torch.nn: write `nn.{name}`."
    if name in ("inf", "infinity", "Inf"):
        return 'Python knows no name for infinity: write `float("inf")`.'
    if name in ("null", "none"):
        return f"`{name}` is called `None` in Python."
    if name in ("true", "false"):
        return f"`{name}` is written `{name.capitalize()}` in Python."
    if name == "self":
        return "A method has its object as its first parameter: `def …(self, …)`."
    same = [argument for argument in raised.arguments if argument.lower() == name.lower()]
    if near := same or difflib.get_close_matches(name, [*raised.arguments], n=1, cutoff=0.75):
        return f"Nothing here is called `{name}`: did you mean the argument `{near[0]}`? Upper and lower case count."
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
        f"What `__init__` keeps for a module is read as `self.{name}`."
    )


def _sizes(raised: Raised) -> str:
    """x.shape[-1], of the first argument that is a tensor."""
    return next((f"{name}.shape[-1]" for name, value in raised.arguments.items() if isinstance(value, Tensor)), "")


def _unbound(raised: Raised, match: re.Match[str]) -> str:
    name = match[1]
    if name in raised.arguments:
        return (
            f"`{name}` is an argument, but a later line of your function assigns to it in a "
            f"way that hides it here: use another name."
        )
    return (
        f"`{name}` is read here but was never given a value on the way: if a line under an `if` or "
        f"in a loop gives it one, that line did "
        "not run this time. Give it a value in every case."
    )


def _attribute(raised: Raised, match: re.Match[str]) -> str | None:
    owner, name = match[1], match[2]
    if owner == "Tensor":
        return _of_tensor(raised, name)
    if owner in ("int", "float", "bool"):
        if name in ("item", "detach", "tolist"):
            return f"This is a plain number ({owner}) already: leave `.{name}()` out."
        if name == "pow":
            return f"This is a plain number ({owner}), which has no method `pow`: write `number ** exponent`."
        if name in ("sqrt", "exp", "log", "sin", "cos"):
            return f"This is a plain number ({owner}), which has no method `{name}`: write `math.{name}(…)`" + (
                " or `… ** 0.5`." if name == "sqrt" else "."
            )
        return f"This is a plain number ({owner}), which has no `{name}`: a tensor is expected here."
    if owner == "builtin_function_or_method" or owner in ("method", "function"):
        return (
            f"`.{name}` is read from a method that was not called: something before it lacks "
            f"its parentheses, as in `x.bool().{name}`."
        )
    if owner == "generator":
        return f"A generator, such as `.parameters()`, gives its items one by one and has no `{name}`: loop over it."
    return None


def _of_tensor(raised: Raised, name: str) -> str | None:
    known = {
        "append": (
            "A tensor has a fixed size, so nothing can be appended to it: collect tensors in "
            "a list and `torch.stack` it, or use `torch.cat`."
        ),
        "insert": (
            "A tensor has a fixed size, so nothing can be inserted: `torch.cat([first, "
            "rest], dim=…)` makes a longer one."
        ),
        "concat": "Tensors are joined with `torch.cat([a, b], dim=…)`.",
        "concatenate": "Tensors are joined with `torch.cat([a, b], dim=…)`.",
        "cat": "Tensors are joined with `torch.cat([a, b], dim=…)`.",
        "stack": "Tensors are stacked with `torch.stack([a, b], dim=…)`.",
        "astype": "A tensor is converted with `.to(dtype)`, `.float()`, `.long()` or `.bool()`.",
        "copy": "A tensor is copied with `.clone()`.",
        "length": "A tensor's sizes are in `x.shape`.",
        "len": "A tensor's sizes are in `x.shape`; `len(x)` is the first.",
        "equals": "`x == y` compares entry by entry.",
        "eye": "`torch.eye(n)` makes an identity matrix.",
        "arange": "`torch.arange(n)` makes a range.",
        "in_features": "`in_features` belongs to the nn.Linear, not to its weight.",
        "out_features": "`out_features` belongs to the nn.Linear, not to its weight.",
        "index": "A tensor has no `index`: `(x == value).nonzero()` gives the positions of a value.",
        "linear": "Layers such as nn.Linear are called with the tensor: `layer(x)`.",
        "cross_entropy": "`F.cross_entropy(logits, targets)` is a function of torch.nn.functional.",
        "logits": "This is the tensor itself.",
        "T_": "`x.T` transposes.",
    }
    if name in known:
        return f"A tensor has no `.{name}`. {known[name]}"
    if hasattr(nn.functional, name):
        return f"A tensor has no method `{name}`: it is a function, `F.{name}(x)`."
    if hasattr(torch, name):
        return f"A tensor has no method `{name}`: it is a function, `torch.{name}(…)`."
    if near := difflib.get_close_matches(name, [n for n in dir(Tensor) if not n.startswith("_")], n=1, cutoff=0.75):
        return f"A tensor has no `{name}`: did you mean `{near[0]}`?"
    return (
        f"A tensor has no attribute `{name}`. A dictionary, an object or a module of your "
        f"own is expected here, or another name."
    )


_IN_COURSE_TOO = ("LayerNorm", "Transformer", "Module")  # classes of the course and of torch.nn with one name


def _of_object(raised: Raised, match: re.Match[str]) -> str | None:
    owner, name = match[1], match[2]
    layer = getattr(nn, owner, None)
    if isinstance(layer, type) and owner not in _IN_COURSE_TOO and not _through_self(raised, name):
        if hasattr(Tensor, name):
            return (
                f"`.{name}` is for tensors, and this is the layer itself, of type {owner}: call the layer "
                f"first, `layer(x)`, and take its "
                "result."
            )
        near = difflib.get_close_matches(
            name, [*dir(layer), "in_features", "out_features", "weight", "bias"], n=1, cutoff=0.75
        )
        return f"A layer of type {owner} has no `{name}`" + (f": did you mean `{near[0]}`?" if near else ".")
    if _through_self(raised, name):
        return (
            f"`self.{name}` was never given a value: assign it in `__init__`, under exactly this name "
            f"(is one of the two "
            "misspelled?)."
        )
    if owner.endswith("Config"):
        return f"The configuration has no `{name}`: look up its fields in the text of the exercise."
    found = set(raised.words(rf"([A-Za-z_][\w.]*)\.{name}\b"))
    if len(found) == 1:
        return f"`{found.pop()}` has no `{name}`: is it misspelled? Use what the exercise says that it has."
    return None


def _through_self(raised: Raised, name: str) -> bool:
    return f"self.{name}" in raised.line


def _of_module(raised: Raised, match: re.Match[str]) -> str | None:
    path, name = match[1], match[2]
    owner = {"torch": torch, "torch.nn": nn, "torch.nn.functional": nn.functional}.get(path)
    if owner is None:
        return f"The module `{path}` has nothing called `{name}`: look up how it is spelled, and where it belongs."
    short = {"torch": "torch", "torch.nn": "nn", "torch.nn.functional": "F"}[path]
    for other, prefix in ((torch, "torch"), (nn, "nn"), (nn.functional, "F"), (Tensor, "x")):
        if hasattr(other, name) and other is not owner:
            return f"`{name}` is not in {path}: it is `{prefix}.{name}`."
    near = [n for n in dir(owner) if n.lower() == name.lower()] or difflib.get_close_matches(
        name, dir(owner), n=1, cutoff=0.75
    )
    return f"{path} has nothing called `{name}`" + (f": did you mean `{short}.{near[0]}`?" if near else ".")


_NO_ATTRIBUTE = r"^'(\w+)' object has no attribute '(\w+)'"


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
    Rule("misspelled", "AttributeError", r"^module '([\w.]+)' has no attribute '(\w+)'", _of_module),
    Rule(
        "number-has-no-method",
        "AttributeError",
        r"^'(int|float|bool)' object has no attribute '(?!detach\b|requires_grad)(\w+)'",
        _attribute,
    ),
    Rule(
        "method-not-called",
        "AttributeError",
        r"^'(builtin_function_or_method|method|function)' object has no attribute '(\w+)'",
        _attribute,
    ),
    Rule("generator", "AttributeError", r"^'(generator)' object has no attribute '(\w+)'", _attribute),
    Rule("no-such-method", "AttributeError", r"^'(Tensor)' object has no attribute '(\w+)'", _attribute),
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
    Rule("unknown-attribute", "AttributeError", _NO_ATTRIBUTE, _of_object),
)
