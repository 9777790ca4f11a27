"""A model with one stack, asked part by part."""

import pytest
import torch
from torch import nn

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question


class Model(nn.Module):
    """x + 1, through blocks that double, and a sum in the end."""

    def __init__(self, embed=lambda x: x + 1, used=slice(None)):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(2, 2, bias=False) for _ in range(2)])
        for block in self.blocks:
            block.weight.data = 2 * torch.eye(2)
        self.embed, self.used = embed, used

    def forward(self, x):
        x = self.embed(x)
        for block in self.blocks[self.used]:
            x = block(x)
        return x.sum(-1)


def _observe(name, model, x=None):
    (value,) = OBSERVERS[name](
        Question("Model", model, {"x": torch.zeros(2, 3, 2) if x is None else x}, ("y",))
    ).values()
    return value


def test_what_the_first_block_gets():
    assert _observe("what goes into the blocks", Model()).tolist() == torch.ones(2, 3, 2).tolist()


@pytest.mark.parametrize("name", ["through the blocks", "read from the blocks"])
def test_later_parts_do_not_depend_on_what_goes_in(name):
    assert torch.equal(_observe(name, Model()), _observe(name, Model(embed=lambda x: 7 * x - 3)))


def test_numbers_are_the_same_for_a_batch_and_for_each_sequence_alone():
    model = Model()
    alone = torch.cat([_observe("through the blocks", model, x) for x in torch.zeros(2, 1, 3, 2)])
    assert torch.equal(alone, _observe("through the blocks", model))


def test_a_block_that_is_never_called_is_said():
    with pytest.raises(Finding, match=r"never calls self.blocks\[0\]"):
        _observe("what goes into the blocks", Model(used=slice(1, None)))


def test_the_model_is_left_as_it_was():
    model = Model()
    before = model(torch.zeros(1, 3, 2))
    _observe("read from the blocks", model)
    assert torch.equal(model(torch.zeros(1, 3, 2)), before)
