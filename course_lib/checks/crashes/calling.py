"""Functions called with too few, too many or unknown arguments, and what cannot be called."""

import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


def _function(name: str) -> str:
    """MultiHeadAttention for MultiHeadAttention.forward and its constructor."""
    return name.removesuffix(".forward").removesuffix(".__init__").rpartition("<locals>.")[2]


def _called(raised: Raised, name: str) -> str:
    """What the line calls: a function by its name, a module in general, since the line names it otherwise."""
    owner = _function(name)
    if name.endswith(".__init__"):
        return f"Making a `{owner}`"
    if name.endswith(".forward"):
        return _module(raised)
    return f"`{owner.rpartition('.')[2]}`"


def _module(raised: Raised) -> str:
    """The module that is called: the line names it, unless it calls several things."""
    called = [raised.text(call.func) for call in raised.calls()]
    modules = [text for text in called if text.startswith("self.") or text in raised.arguments]
    return f"`{modules[0]}`" if len(modules) == 1 else "The module that is called in this line"


def _is_method(name: str) -> bool:
    return "." in name.rpartition("<locals>.")[2]


def _own(name: str) -> str:
    """A function by its name, where no line says how it is called."""
    return f"The constructor of `{_function(name)}`" if name.endswith(".__init__") else f"`{name.rpartition('.')[2]}`"


def _missing(raised: Raised, match: re.Match[str]) -> str:
    if not raised.line:
        return f"{_own(match[1])} also needs {_listed(match[2])}: {_KEEP}"
    return f"{_called(raised, match[1])} also needs {_listed(match[2])}: see its parameters, in their order."


def _listed(names: str) -> str:
    """`k` and `v` for Python's 'k' and 'v'."""
    return names.replace("'", "`").replace('"', "`")


def _extra(raised: Raised, match: re.Match[str]) -> str:
    name, takes, given = match[1], int(match[2]), int(match[3])
    if _is_method(name):
        takes, given = takes - 1, given - 1  # Python counts self
    if not raised.line:
        if takes == 0 and _is_method(name):
            return f"{_own(name)} has no parameter left for what it gets: the first of a method is `self`. Is it there?"
        return f"{_own(name)} takes {_count(takes)}, and gets {given}: {_KEEP}"
    return f"{_called(raised, name)} takes {_count(takes)}, and gets {given} here."


def _range(raised: Raised, match: re.Match[str]) -> str:
    name, low, high, given = match[1], *(int(match[i]) for i in (2, 3, 4))
    if _is_method(name):
        low, high, given = low - 1, high - 1, given - 1
    if not raised.line and low == 0:
        return (
            f"{_own(name)} takes {high} at most, and gets {given}: the first parameter of a "
            f"method is `self`. Is it there?"
        )
    return f"{_called(raised, name)} takes {low} to {high} arguments, and gets {given} here."


def _count(number: int) -> str:
    return "no arguments" if number == 0 else "1 argument" if number == 1 else f"{number} arguments"


def _unexpected(raised: Raised, match: re.Match[str]) -> str:
    if match[2] in ("axis", "keepdims"):
        return (
            f"{_called(raised, match[1])} does not take these options together: in torch they are `dim` and `keepdim`."
        )
    return f"{_called(raised, match[1])} has no option called `{match[2]}`: is it spelled differently?"


def _not_callable(raised: Raised, match: re.Match[str]) -> str:
    kind = match[1]
    if kind == "Tensor" or kind == "Parameter":
        return (
            f"A tensor{' (a parameter)' if kind == 'Parameter' else ''} is called here like a function. "
            f"Multiply with `x @ w`, index with square "
            "brackets; a shape is `x.shape`, without parentheses."
        )
    if kind == "Size":
        return "`x.shape` is not a function: leave the parentheses out, and index it, `x.shape[-1]`."
    if kind in ("int", "float", "bool"):
        return (
            f"A number ({kind}) is called here like a function: is a `*` missing, or does a "
            f"variable have a function's name?"
        )
    if kind in ("list", "tuple", "dict"):
        return f"A {kind} is called here like a function: go through it with a loop, or index it with square brackets."
    return f"An object of type {kind} is called here like a function, which it is not."


_KEEP = "keep the parameters that the exercise gives it, and give them all in each call."


RULES = (
    Rule(
        "unknown-option",
        "TypeError",
        r"'(\w+)' is an invalid keyword argument for (sum|max|min|sorted|print)\(\)",
        "Python's own `{2}` has no option `{1}`: use the tensor's, `x.{2}(…)`.",
    ),
    Rule(
        "extra-argument",
        "TypeError",
        r"^(?:\w+\.)?(\w+)\(\) takes no (?:keyword )?arguments \((\d+) given\)",
        "`{1}` takes no arguments, and gets {2} here.",
    ),
    Rule(
        "transpose-arguments",
        "TypeError",
        r"^transpose\(\) (?:missing|received an invalid combination)|transpose\(\): argument|^Tensor\.transpose\(\)",
        "`transpose` needs both dimensions that it exchanges: `.transpose(-2, -1)` for the last two.",
    ),
    Rule(
        "no-such-method",
        "TypeError",
        r"^Tensor\.index\(\) missing 1 required positional argument",
        "A tensor has no search by value: `(x == value).nonzero()` gives the positions of a value.",
    ),
    Rule(
        "missing-argument",
        "TypeError",
        r"^([\w.<>]+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.+)$",
        _missing,
    ),
    Rule(
        "extra-argument",
        "TypeError",
        r"^([\w.<>]+)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given",
        _extra,
    ),
    Rule(
        "extra-argument",
        "TypeError",
        r"^([\w.<>]+)\(\) takes from (\d+) to (\d+) positional arguments but (\d+) were given",
        _range,
    ),
    Rule("unknown-option", "TypeError", r"^([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'", _unexpected),
    Rule(
        "argument-twice",
        "TypeError",
        r"^([\w.<>]+)\(\) got multiple values for argument '(\w+)'",
        "The argument `{2}` is given twice: once by its place and once by its name.",
    ),
    Rule("tensor-called", "TypeError", r"^'(?:torch\.)?(Tensor|Parameter|Size)' object is not callable", _not_callable),
    Rule("list-called", "TypeError", r"^'(list|tuple|dict)' object is not callable", _not_callable),
    Rule("number-called", "TypeError", r"^'(int|float|bool)' object is not callable", _not_callable),
    Rule("not-callable", "TypeError", r"^'([\w.]+)' object is not callable", _not_callable),
    Rule(
        "recursion",
        "RecursionError",
        r"maximum recursion depth exceeded",
        "A function calls itself without end: is its own name called in its body, where another function was meant?",
    ),
)
