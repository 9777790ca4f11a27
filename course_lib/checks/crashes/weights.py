"""Weights that are loaded, assigned or made from something else."""

from course_lib.checks.crashes.rule import Rule

RULES = (
    Rule(
        "parameter-of-sizes",
        "AttributeError TypeError",
        (
            r"^'int' object has no attribute '(?:detach|requires_grad)|__new__\(\) takes from "
            r"1 to 3 positional arguments|Parameter\.__new__"
        ),
        lambda raised, match: (
            (
                "`nn.Parameter` takes a tensor with the values to start from, not sizes: "
                "`nn.Parameter(torch.randn(rows, columns))`."
            )
            if "Parameter(" in raised.line
            else None
        ),
    ),
    Rule(
        "parameter-assigned",
        "TypeError",
        r"cannot assign '([\w.]+)' as parameter '(\w+)' \(torch\.nn\.Parameter or None expected\)",
        (
            "`{2}` is a parameter, and a plain tensor cannot take its place. Copy the values "
            "into it: `with torch.no_grad(): ….{2}.copy_(tensor)`."
        ),
    ),
    Rule(
        "module-assigned",
        "TypeError",
        r"cannot assign '([\w.]+)' (?:object )?(?:to|as) (?:child module|buffer) '(\w+)'",
        "`{2}` is a layer or a buffer already, and something of type {1} cannot take its place: use another name.",
    ),
    Rule(
        "parameter-of-result",
        "ValueError",
        r"cannot assign non-leaf Tensor to parameter '(\w+)'",
        "A parameter cannot be the result of a computation: wrap the values, `nn.Parameter(tensor)`.",
    ),
    Rule(
        "lazy",
        "RuntimeError ValueError",
        r"Attempted to use an uninitialized parameter",
        "A lazy layer such as nn.LazyLinear has no weights before its first call: use nn.Linear with both sizes.",
    ),
    Rule(
        "state-dict",
        "RuntimeError",
        (
            r"Error\(s\) in loading state_dict for (\w+):(?:.|\n)*?size mismatch for "
            r"([\w.]+): copying a param with shape torch\.Size\(\[([\d, ]*)\]\) from "
            r"checkpoint, the shape in current model is torch\.Size\(\[([\d, ]*)\]\)"
        ),
        "`{2}` of the {1} has shape ({4}), and what you load has ({3}).",
    ),
    Rule(
        "state-dict",
        "RuntimeError",
        (
            r"Error\(s\) in loading state_dict for (\w+):\s*(Missing|Unexpected) key\(s\) in "
            r"state_dict: (\"[\w.]+\")"
        ),
        lambda raised, match: (
            "Parameters are loaded by their names, and these differ: what you load "
            f"{'lacks' if match[2] == 'Missing' else 'has another,'} {match[3]}, for example. Copy "
            f"weight by weight instead."
        ),
    ),
)
