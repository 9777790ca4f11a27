import ast
import math

import pytest
import torch

from autograder.authoring.audit.mutation_operators import alternatives

NAMES = {"math": math, "torch": torch}


def changes(source):
    """Every text that one change makes of a line."""
    tree = ast.parse(source)
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    texts = set()
    for node, parent in parents.items():
        for other in alternatives(node, parent, NAMES):
            for name, value in ast.iter_fields(parent):
                places = range(len(value)) if isinstance(value, list) else [None]
                for place in places:
                    if (value if place is None else value[place]) is node:
                        texts.add(_with(tree, parent, name, place, other))
    return texts


def _with(tree, parent, name, place, other):
    """The text of the tree with another node in one place, which is put back."""
    holder, key = (getattr(parent, name), place) if place is not None else (vars(parent), name)
    before, holder[key] = holder[key], other
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    finally:
        holder[key] = before


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("x + y", {"x - y", "pass"}),
        ("x @ y", {"y @ x", "pass"}),
        ("x ** y", {"pass"}),
        ("x += y", {"x -= y", "pass"}),
        ("x < y", {"x >= y", "x <= y", "pass"}),
        ("x is None", {"x is not None", "pass"}),
        ("x == 3", {"x != 3", "x == 4", "pass"}),
        ("x[0]", {"x[1]", "pass"}),
        ("x[1]", {"x[0]", "pass"}),
        ("x[-1]", {"x[1]", "x[-2]", "pass"}),
        ("x * 0.5", {"x / 0.5", "x * 1.0", "pass"}),
        ("a if b else c", {"a if not b else c", "pass"}),
        ("x.T", {"x", "pass"}),
        ("x.softmax(-1)", {"x", "x.softmax(1)", "x.softmax(-2)", "pass"}),
        ("math.sqrt(d)", {"d", "pass"}),
        ("torch.where(a, b)", {"a", "torch.where(b, a)", "pass"}),
        ("f(a, b, c)", {"f(b, a, c)", "pass"}),
        ("f(*a, b)", {"pass"}),
        ("flag = True", {"pass"}),
        ("pass", set()),
    ],
)
def test_each_slip_is_made_and_no_other(source, changed):
    assert changes(source) == changed


def test_two_outputs_change_places_and_a_return_stays():
    function = 'def f(a, b):\n    """Doubles."""\n    return {}'
    assert changes(function.format("(a, b)")) == {function.format("(b, a)"), "pass"}
