"""nn.Module classes that are put together wrongly, and losses."""

import ast
import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule

_LISTS = re.compile(r"self\.\w*?(?:blocks|layers|encoder|decoder|encoders|decoders|heads|stack|modules)")


def _not_callable(raised: Raised, match: re.Match[str]) -> str:
    kind = match[1]
    if kind not in ("ModuleList", "ModuleDict"):
        return f"`{kind}` has no method `forward`: is it spelled and indented as a method of the class?"
    called = dict.fromkeys(raised.words(r"self\.\w+(?=\()"))
    lists = [text for text in called if len(called) == 1 or _LISTS.fullmatch(text)]
    item = "block" if kind == "ModuleList" else "name, block"
    if len(lists) == 1:
        through = lists[0] if kind == "ModuleList" else f"{lists[0]}.items()"
        return f"`{lists[0]}(…)` fails because an nn.{kind} can't be called. Loop over it: `for {item} in {through}:`"
    return f"An nn.{kind} can't be called: loop over it, and call one layer after the other."


def _heads(raised: Raised, match: re.Match[str]) -> str:
    d_model, heads = int(match[1]), int(match[2])
    if heads > d_model:
        return (
            f"d_model is {d_model} here and num_heads {heads}: were the two exchanged? The "
            f"order is `(d_model, num_heads)`."
        )
    return f"The heads share d_model = {d_model} features equally, which {heads} heads cannot."


RULES = (
    Rule(
        "super-init",
        "AttributeError",
        (
            r"cannot assign (?:module|parameters?|buffer)s? before Module\.__init__\(\) call|"
            r"object has no attribute '_(?:modules|parameters|buffers|forward_hooks|"
            r"backward_hooks)'"
        ),
        (
            "The first line of `__init__` must be `super().__init__()`: without it an "
            "nn.Module can keep no layers, parameters or buffers."
        ),
    ),
    Rule(
        "list-called",
        "NotImplementedError",
        r'Module \[(ModuleList|ModuleDict)\] is missing the required "forward" function',
        _not_callable,
    ),
    Rule(
        "no-forward",
        "NotImplementedError",
        r'Module \[(\w+)\] is missing the required "forward" function',
        _not_callable,
    ),
    Rule(
        "sequential-of-list",
        "TypeError",
        r"^(?:builtins\.)?list is not a Module subclass",
        (
            "`nn.Sequential` takes the layers one by one, not in a list: leave the square "
            "brackets out, or unpack the list with `*`."
        ),
    ),
    Rule(
        "not-a-module",
        "TypeError",
        r"^(?:torch\.FloatTensor|[\w.<>]+) is not a Module subclass",
        (
            "A container of layers, such as `nn.ModuleList` or `nn.Sequential`, holds "
            "modules alone: make them with parentheses, `nn.ReLU()`; functions and tensors "
            "do not belong in it."
        ),
    ),
    Rule(
        "module-list-of-one",
        "TypeError",
        r"^'(\w+)' object is not iterable|ModuleList.*should be called with an iterable",
        lambda raised, match: (
            "`nn.ModuleList` takes a list of modules: `nn.ModuleList([…])`."
            if any(isinstance(part, ast.Call) for call in raised.calls("ModuleList") for part in call.args)
            else None
        ),
    ),
    Rule(
        "buffer-name",
        "KeyError TypeError",
        r"attribute '(\w+)' already exists",
        "`self.{1}` has a value already: give the buffer its tensor in `register_buffer` alone.",
    ),
    Rule(
        "buffer-name",
        "TypeError",
        r"buffer name should be a string",
        '`register_buffer` takes the name as a text first, and then the tensor: `self.register_buffer("pe", table)`.',
    ),
    Rule(
        "dropout-probability",
        "ValueError",
        r"dropout probability has to be between 0 and 1, but got (.+)",
        "`nn.Dropout` takes a probability, and gets {1}: the tensor is given when the layer is called, `self.drop(x)`.",
    ),
    Rule(
        "dropout-probability",
        "TypeError",
        r"'<' not supported between instances of '(\w+)' and '(?:int|float)'",
        lambda raised, match: (
            "`nn.Dropout` takes a probability; the tensor is given when the layer is called, `self.drop(x)`."
            if raised.calls("Dropout")
            else None
        ),
    ),
    Rule(
        "multihead-sizes",
        "ValueError",
        r"num_heads must divide d_model, got d_model = (\d+) and num_heads = (\d+)",
        _heads,
    ),
    Rule(
        "multihead-sizes",
        "AssertionError",
        r"embed_dim must be divisible by num_heads",
        "The number of heads must divide d_model.",
    ),
    Rule(
        "device-meta",
        "NotImplementedError",
        r"Cannot copy out of meta tensor; no data",
        "A tensor on the device `meta` has a shape but no values: make it on the device of your arguments.",
    ),
)
