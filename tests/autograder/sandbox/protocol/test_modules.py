"""Recipes: a module serialized and rebuilt computes the same."""

import pytest
import torch
from torch import nn

from autograder.sandbox.protocol.decode import unpack
from autograder.sandbox.protocol.encode import pack
from autograder.sandbox.protocol.modules import build, recipe_of
from autograder.sandbox.protocol.types import Recipe, WireError


def handed_over(module):
    frames = pack(recipe_of(module), lambda value: pytest.fail(f"{value} is not data"))
    return unpack(frames, build)


@pytest.mark.parametrize(
    ("module", "inputs"),
    [
        (nn.Linear(3, 4), [torch.randn(2, 3)]),
        (nn.Linear(3, 4, bias=False).double(), [torch.randn(2, 3).double()]),
        (nn.Conv2d(2, 3, 4, stride=4), [torch.randn(1, 2, 8, 8)]),
        (nn.LayerNorm(5, eps=1e-3), [torch.randn(2, 5)]),
        (nn.Embedding(7, 3), [torch.tensor([[1, 2]])]),
        (nn.MultiheadAttention(6, 2, batch_first=True), [torch.randn(1, 4, 6)] * 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_stock_modules_compute_the_same(module, inputs):
    want, got = module(*inputs), handed_over(module)(*inputs)
    for left, right in zip(*((x if isinstance(x, tuple) else (x,)) for x in (want, got)), strict=True):
        assert torch.equal(left, right)


def test_a_container_keeps_its_parts_and_numbers():
    box = nn.Module()
    box.wq, box.num_heads, box.gain = nn.Linear(2, 3), 4, nn.Parameter(torch.arange(3.0))
    back = handed_over(box)
    assert back.num_heads == 4
    assert torch.equal(back.wq.weight, box.wq.weight)
    assert torch.equal(back.gain, box.gain)


def test_other_classes_cannot_be_asked_for():
    with pytest.raises(WireError):
        build(Recipe("Bilinear", {}, {}, {}))
