"""A parameter that is not where it is expected is named for what it is instead."""

import pytest
import torch
from torch import nn

from course_lib.checks.answer_forms.hidden_parameters import why_hidden
from course_lib.checks.answer_forms.weight_transfer import hand_over, weights_of
from course_lib.checks.finding import Finding


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])
        self.token = nn.Parameter(torch.zeros(1, 1, 3))
        self.head = nn.Linear(3, 5)


class PlainList(Model):
    def __init__(self):
        super().__init__()
        blocks = list(self.blocks)
        del self.blocks
        self.blocks = blocks


class OneBlockTwice(Model):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([self.blocks[0]] * 2)


class PlainTensor(Model):
    def __init__(self):
        super().__init__()
        del self.token
        self.token = torch.zeros(1, 1, 3)


class Missing(Model):
    def __init__(self):
        super().__init__()
        del self.head


@pytest.mark.parametrize(
    ("student", "sentence"),
    [
        (
            PlainList,
            "keeps self.blocks in a plain list, in which PyTorch finds no parameters: make it an nn.ModuleList",
        ),
        (OneBlockTwice, "uses blocks.0.weight as blocks.1.weight too: give each parameters of its own"),
        (PlainTensor, "keeps self.token as a tensor that is no parameter, so it is not trained: wrap it: nn.Parameter"),
        (Missing, "has no head: assign self.head in __init__"),
    ],
)
def test_the_finding_says_what_is_the_case(student, sentence):
    weights = weights_of(Model(), ["blocks", "token", "head"])
    with pytest.raises(Finding, match=f"model {sentence}"):
        hand_over("model", student(), weights)


def test_a_list_of_layers_that_have_names_too_hides_nothing():
    model = Model()
    model.in_order = [*model.blocks, model.head]
    assert why_hidden(model, "") is None


def test_a_module_that_hides_nothing_has_no_reason():
    assert why_hidden(Model(), "blocks") is None
    assert why_hidden(Model(), "") is None


def test_a_table_may_have_a_dimension_of_size_one_in_front():
    class Table(nn.Module):
        def __init__(self, *shape):
            super().__init__()
            self.any_name = nn.Parameter(torch.zeros(shape))

    model, values = Table(1, 4, 3), torch.randn(4, 3)
    (weight,) = weights_of(Table(4, 3), [])
    hand_over("table", model, [type(weight)(weight.part, "table", values, None, weight.linear)])
    torch.testing.assert_close(model.any_name[0].detach(), values)
    with pytest.raises(Finding, match=r"has the parameters any_name \(4, 5\), expected the shapes \(4, 3\)"):
        hand_over("table", Table(4, 5), [type(weight)(weight.part, "table", values, None, weight.linear)])
