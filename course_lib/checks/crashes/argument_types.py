"""Arguments of a type that a function does not take."""

import re

from course_lib.checks.crashes.raised import Raised
from course_lib.checks.crashes.rule import Rule


def _argument_type(raised: Raised, match: re.Match[str]) -> str:
    name, argument, expected, kind = match.groups()
    got = "None" if kind == "NoneType" else _a(kind)
    where = f"`{name}`" if name in raised.line else "A function that is called here"
    hint = " Handle that case first, with `if … is None`." if kind == "NoneType" else ""
    return f"{where} needs {_a(expected)} as `{argument}`, and gets {got}.{hint}"


def _a(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _number_wanted(raised: Raised, match: re.Match[str]) -> str:
    where = f"`{match[1]}`" if match[1] in raised.line else "A function that is called here"
    if not match[1].startswith(("arange", "eye", "tri")):
        return f"{where} needs a shape, and gets a whole tensor: a tensor's shape is `x.shape`."
    return f"{where} needs a size, a number, and gets a whole tensor: pick a size of it, such as `x.shape[1]`."


def _combination(raised: Raised, match: re.Match[str]) -> str:
    where = f"`{match[1]}`" if match[1] in raised.line else f"A function that is called here (`{match[1]}`)"
    if not raised.message.endswith("\n"):  # cut: what else it takes is not known
        return f"{where} cannot be called with arguments of the types ({match[2]})."
    takes = " or ".join(f"`({one})`" for one in re.findall(r"^ \* \((.*)\)$", match[3], re.MULTILINE))
    return f"{where} cannot be called with arguments of the types ({match[2]}): it takes {takes}."


RULES = (
    Rule(
        "zeros-of-shapes",
        "TypeError",
        r"^(zeros|ones|empty|randn?)\(\) takes 1 positional argument but \d+ were given",
        "`{1}` takes a shape, or its sizes one by one, and then options by their names "
        "(`dtype=…`): one of what it gets is "
        "something else.",
    ),
    Rule(
        "tensor-of-numbers",
        "TypeError",
        r"^tensor\(\) takes 1 positional argument but \d+ were given",
        "`torch.tensor` takes one list of numbers: `torch.tensor([a, b])`.",
    ),
    Rule(
        "softmax-dim",
        "TypeError",
        (
            r"^(softmax|log_softmax)\(\) (?:missing 1 required positional arguments?: \"dim\"|"
            r"received an invalid combination of arguments - got \((?:Tensor)?\))"
        ),
        "`{1}` must know along which dimension the results sum to 1: `dim=-1` is the last.",
    ),
    Rule(
        "softmax-dim",
        "TypeError",
        r"^(softmax|log_softmax)\(\): argument 'dim' \(position \d+\) must be int, not (\w+)",
        "The second argument of `{1}` is the dimension, an integer, and it gets a {2}.",
    ),
    Rule(
        "zeros-of-shapes",
        "TypeError",
        r"^(eye)\(\)(?::| received).*torch\.Size",
        "`{1}` takes sizes, and gets a whole shape among them: pick the sizes that you need, such as `x.shape[0]`.",
    ),
    Rule(
        "argument-type",
        "TypeError",
        r"^([\w.]+)\(\): argument '(\w+)' (?:\(position \d+\) )?must be ([\w .]+?), not ([\w.]+)$",
        _argument_type,
    ),
    Rule(
        "number-wanted",
        "TypeError",
        (
            r"^(arange|zeros|ones|full|eye|empty|randn?|tril_indices|triu_indices)\(\) "
            r"received an invalid combination of arguments - got \((?:\w+, )*Tensor"
        ),
        _number_wanted,
    ),
    Rule(
        "argument-types",
        "TypeError",
        (
            r"^([\w.]+)\(\) received an invalid combination of arguments - got \((.*)\), but "
            r"expected one of:\n((?: \* \(.*\)\n|      .*\n)+)"
        ),
        _combination,
    ),
)
