"""Python's numbers where torch needs tensors, and tensors where Python needs numbers."""

import ast
import re

from course_lib.checks.crashes.raised import Raised, called_name, root_name
from course_lib.checks.crashes.rule import Rule

_WITH_METHOD = ("sqrt", "exp", "log", "sin", "cos", "tanh", "pow", "floor", "ceil")


_NUMBERS = "(int|float|bool)"


def _math(raised: Raised, match: re.Match[str]) -> str | None:
    """math.exp(x), float(x) or range(x) of a tensor with several entries."""
    functions = dict.fromkeys(called_name(call) for call in raised.calls() if root_name(call.func) == "math")
    if functions:
        listed, instead = (" and ".join(f"`{module}.{name}`" for name in functions) for module in ("math", "torch"))
        take, work = ("take", "work") if len(functions) > 1 else ("takes", "works")
        return (
            f"{listed} {take} a single number, and a tensor here has several: use {instead}, "
            f"which {work} on each entry."
        )
    for name in ("float", "int", "round"):
        if any(isinstance(call.func, ast.Name) for call in raised.calls(name)):
            return f"`{name}(…)` makes one number, and this tensor has several entries."
    return None


def _item(raised: Raised, match: re.Match[str]) -> str | None:
    if not raised.calls("item"):
        return None
    return (
        "`.item()` gives the number in a tensor of one entry, and this tensor has several. Compare "
        "or compute with the tensor "
        "itself, or take one entry first."
    )


def _list_of_tensors(raised: Raised, match: re.Match[str]) -> str | None:
    if not raised.calls("tensor", "as_tensor") or any(root_name(call.func) == "math" for call in raised.calls()):
        return None
    return (
        "`torch.tensor` makes a tensor of numbers, and this list holds tensors with several entries: "
        "`torch.stack(list)` puts them in a new dimension, `torch.cat(list)` joins them along one."
    )


def _torch_of_number(raised: Raised, match: re.Match[str]) -> str:
    name, kind = match[1], match[2]
    if name not in raised.line:
        return f"A function that is called here needs a tensor, and gets a number ({kind})."
    if name in ("max", "min", "maximum", "minimum"):
        return (
            f"`torch.{name}` takes a tensor, and this is a number ({kind}): use Python's own "
            f"`{name[:3]}(a, b)` for numbers."
        )
    if name in _WITH_METHOD:
        other = f"`math.{name}(…)`" + (" or `… ** 0.5`" if name == "sqrt" else "")
        return f"`torch.{name}` takes a tensor, and this is a number ({kind}): use {other} for numbers."
    if name == "rsqrt":
        return f"`torch.rsqrt` takes a tensor, and this is a number ({kind}): write `… ** -0.5` for numbers."
    return f"`{name}` takes a tensor, and this is a number ({kind})."


def _number_given(raised: Raised, match: re.Match[str]) -> str:
    name, _, place, kind = match.groups()
    if name == "embedding":
        return (
            f"An embedding is called with a tensor of ids, and gets a number ({kind}): "
            f"`table(torch.arange(n))` gives n rows."
        )
    hint = (
        " To compare entries with a number, write `x == number`."
        if name in ("equal", "eq", "isclose", "allclose")
        else ""
    )
    return f"`{name}` needs a tensor as its argument {place}, and gets a number ({kind}).{hint}"


def _compared(raised: Raised, match: re.Match[str]) -> str | None:
    name, arguments = match[1], match[2]
    if "expected one of:\n * (Tensor input" not in raised.message:
        return None
    kinds = arguments.split(", ")
    if name in ("max", "min", "maximum", "minimum") and kinds and all(k in ("int", "float") for k in kinds):
        return f"`torch.{name}` takes tensors, and these are numbers: use Python's own `{name[:3]}(a, b)`."
    if kinds and kinds[0] in ("int", "float"):
        return (
            f"The first argument of `{name}` must be a tensor, and this one is a number ({kinds[0]}). A "
            f"tensor of equal entries is "
            "`torch.full(shape, number)`."
        )
    return None


def _real_number(raised: Raised, match: re.Match[str]) -> str:
    functions = {called_name(call) for call in raised.calls() if root_name(call.func) == "math"}
    name = f"`math.{functions.pop()}`" if len(functions) == 1 else "A function of the module `math`"
    kind = match[1]
    if kind in ("builtin_function_or_method", "method"):
        return f"{name} takes a number, and this is a method that was not called: write it with parentheses."
    return f"{name} takes a number, and got a {kind}."


_ONE_NUMBER = "ValueError TypeError RuntimeError"


_SEVERAL = (
    r"only one element tensors can be converted to Python scalars|a Tensor with \d+ "
    r"elements cannot be converted to Scalar"
)


RULES = (
    Rule(
        "power",
        "TypeError",
        r"unsupported operand type\(s\) for \^: (?:'\w+' and 'float'|'float' and '\w+')",
        "`^` is no power in Python, it compares bits: write `x ** y`.",
    ),
    Rule(
        "number-of-list",
        "TypeError",
        r"^(float|int)\(\) argument must be .* not '(\w+)'",
        "`{1}` makes a number of a single value, and gets a {2}.",
    ),
    Rule("item", _ONE_NUMBER, _SEVERAL, _item),
    Rule("list-of-tensors", _ONE_NUMBER, _SEVERAL, _list_of_tensors),
    Rule("math-of-tensor", _ONE_NUMBER, _SEVERAL, _math),
    Rule("math-argument", "TypeError", r"must be real number, not (\w+)", _real_number),
    Rule(
        "torch-of-number",
        "TypeError",
        rf"^(\w+)\(\): argument 'input' \(position 1\) must be Tensor, not {_NUMBERS}$",
        _torch_of_number,
    ),
    Rule(
        "number-for-tensor",
        "TypeError",
        rf"^(\w+)\(\): argument '(\w+)' \(position (\d+)\) must be Tensor, not {_NUMBERS}$",
        _number_given,
    ),
    Rule(
        "torch-of-number",
        "TypeError",
        r"^(\w+)\(\) received an invalid combination of arguments - got \(((?:int|float)[^)]*)\)",
        _compared,
    ),
    Rule(
        "list-not-tensor",
        "TypeError",
        r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not (list)$",
        (
            "`{1}` takes a tensor, and this is a Python list: `torch.tensor(numbers)` makes "
            "one of numbers, `torch.stack(tensors)` of tensors."
        ),
    ),
    Rule(
        "list-not-tensor",
        "TypeError",
        r"^(\w+)\(\): argument '\w+' \(position \d+\) must be Tensor, not (numpy\.ndarray|ndarray)$",
        "`{1}` takes a tensor, and this is a NumPy array: `torch.from_numpy(array)` makes one.",
    ),
)
