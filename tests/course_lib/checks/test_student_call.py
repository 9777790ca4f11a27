"""What a student is told of an exception: a stub is told from a crash, and the line is the student's own."""

import linecache

import pytest
import torch
from torch import nn

from course_lib.checks.finding import Finding, Kind
from course_lib.checks.student_call import call
from course_lib.nn.attention import scaled_dot_product_attention


def cell(source, file="cell_7.py"):
    """The names that a cell of a notebook defines."""
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names = {"torch": torch, "nn": nn, "attention": scaled_dot_product_attention}
    exec(compile(source, file, "exec"), names)
    return names


def observed(name, answer, *arguments):
    with pytest.raises(Finding) as raised:
        call(name, answer, arguments)
    return raised.value.observed


def test_a_stub_is_not_written():
    names = cell("def softmax(x):\n    raise NotImplementedError()\n")
    found = observed("softmax", names["softmax"], torch.ones(2))
    assert found.kind is Kind.NOT_WRITTEN
    assert str(found) == "softmax is not written yet: replace `raise NotImplementedError()` with your code"


def test_a_stub_on_one_line_is_not_written():
    names = cell("def f(x): raise NotImplementedError()\n", "cell_6.py")
    assert observed("f", names["f"], 1).kind is Kind.NOT_WRITTEN


def test_a_method_of_the_answer_that_is_still_a_stub_is_not_written():
    names = cell(
        "class Model:\n"
        "    def __call__(self, x):\n        return self.encode(x)\n"
        "    def encode(self, x):\n        raise NotImplementedError()\n"
    )
    assert observed("Model", names["Model"](), 3).kind is Kind.NOT_WRITTEN


def test_a_stub_of_another_answer_is_named():
    names = cell(
        "class PatchEmbedding:\n    def __init__(self):\n        raise NotImplementedError()\n"
        "class VisionTransformer:\n    def __init__(self):\n        self.embedding = PatchEmbedding()\n"
    )
    found = observed("VisionTransformer", names["VisionTransformer"])
    assert found.kind is Kind.RAISED
    assert str(found) == (
        "VisionTransformer calls `PatchEmbedding`, which is not written yet\n"
        "in your line: self.embedding = PatchEmbedding()"
    )


def test_an_error_that_torch_raises_as_not_implemented_is_a_crash():
    names = cell("def run(x):\n    blocks = nn.ModuleList([nn.Linear(2, 2)])\n    return blocks(x)\n")
    found = observed("run", names["run"], torch.ones(2))
    assert (found.kind, found.got, found.line) == (Kind.RAISED, "raised NotImplementedError", "return blocks(x)")


def test_the_line_is_the_students_and_not_the_librarys():
    names = cell("def run(q, mask):\n    return attention(q, q, q, mask)\n")
    found = observed("run", names["run"], torch.ones(2, 3, 4), torch.ones(5, dtype=torch.bool))
    assert found.line == "return attention(q, q, q, mask)"
    assert "_require_broadcast" not in str(found)


def test_a_call_that_is_spread_over_lines_is_shown_whole_and_a_block_only_by_its_head():
    spread = cell("def run(x):\n    return torch.stack(\n        [x,\n         x[0]],\n    )\n", "cell_8.py")
    assert observed("run", spread["run"], torch.ones(2)).line == "return torch.stack( [x, x[0]], )"
    block = cell("def run(x):\n    if x:\n        x = 2 * x\n    return x\n", "cell_9.py")
    assert observed("run", block["run"], torch.ones(2)).line == "if x:"


def test_an_error_outside_the_students_code_shows_no_line():
    names = cell("def run(x):\n    return x\n", "cell_10.py")
    found = observed("run", names["run"])
    assert found.line == ""
    assert found.detail == "run() missing 1 required positional argument: 'x'"


def test_advice_that_would_cost_points_is_not_passed_on():
    names = cell("def run(x):\n    return x.requires_grad_().numpy()\n", "cell_11.py")
    found = observed("run", names["run"], torch.ones(2))
    assert found.detail == "Can't call numpy() on Tensor that requires grad."


def test_a_line_without_source_is_left_out():
    names = {}
    exec("def run(x):\n    return x + None\n", names)
    assert str(observed("run", names["run"], 1)).startswith("run raised TypeError: unsupported operand")
    exec("def stub(x):\n    raise NotImplementedError\n", names)
    assert observed("stub", names["stub"], 1).kind is Kind.NOT_WRITTEN
