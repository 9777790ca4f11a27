"""Attributes and methods that do not exist."""

import difflib
import re

import torch
from torch import Tensor, nn

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


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
        if f".{name}" not in raised.line:
            return f"A function that is called here gets a plain number ({owner}) instead of a tensor."
        what = "a single True or False" if owner == "bool" else "a plain number"
        return f"This is {what} ({owner}) and not a tensor, so it has no `{name}`."
    if owner == "builtin_function_or_method" or owner in ("method", "function"):
        if f".{name}" not in raised.line:
            return (
                "A function that is called here gets a function or method instead of its result: "
                "write that with parentheses."
            )
        return (
            f"`.{name}` is read from a method that was not called: something before it lacks "
            f"its parentheses, as in `x.bool().{name}`."
        )
    if owner == "generator":
        return f"A generator, such as `.parameters()`, gives its items one by one and has no `{name}`: loop over it."
    return None


def _of_tensor(raised: Raised, name: str) -> str | None:
    if f".{name}" not in raised.line:
        return (
            f"A function that is called here gets a tensor where it needs something with "
            f"`{name}`: a module, or an object."
        )
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
    if near := difflib.get_close_matches(name, [n for n in dir(Tensor) if not n.startswith("_")], n=1, cutoff=0.8):
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
    return bool(raised.words(rf"\bself\.{name}\b"))


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
        "unknown-attribute",
        "AttributeError",
        r"^type object '(\w+)' has no attribute '(\w+)'",
        "The class `{1}` has no `{2}`: is it misspelled, or is an object of the class meant, made with parentheses?",
    ),
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
    Rule("unknown-attribute", "AttributeError", _NO_ATTRIBUTE, _of_object),
)
