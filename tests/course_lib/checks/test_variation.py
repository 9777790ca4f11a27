"""Variations: what a module keeps of an earlier call is told from what it never gets right."""

import pytest
import torch
from torch import nn

from course_lib.checks.case import Case
from course_lib.checks.finding import Finding
from course_lib.checks.variation import KEPT, SHARE, examine_second_call, examine_variation


class KeepsTheFirst(nn.Module):
    kept = None

    def forward(self, x):
        self.kept = x if self.kept is None else self.kept
        return self.kept + 0 * x


def _case(x):
    return Case("f", ("output",), {"x": x}, {"output": x}, known=lambda: [])


def test_what_is_right_for_a_new_module_alone_is_kept_of_an_earlier_call():
    answer = KeepsTheFirst()
    answer(torch.ones(2, 3))
    with pytest.raises(Finding, match=r"output\[0, 0\] for x \(2, 3\)") as raised:
        examine_variation(_case(torch.zeros(2, 3)), answer, _case(torch.ones(2, 3)), KeepsTheFirst)
    assert raised.value.mistakes == (KEPT,)
    assert raised.value.share == SHARE


def test_what_a_new_module_gets_wrong_too_is_not():
    with pytest.raises(Finding) as raised:
        examine_variation(_case(torch.zeros(2, 3)), nn.Softmax(-1), _case(torch.ones(2, 3)), lambda: nn.Softmax(-1))
    assert raised.value.mistakes == ()


def test_a_right_answer_passes():
    examine_variation(_case(torch.zeros(2, 3)), nn.Identity(), _case(torch.ones(2, 3)), nn.Identity)


def test_the_sizes_of_a_smaller_call_may_not_be_kept():
    usual, smallest = _case(torch.arange(6.0).reshape(2, 3)), _case(torch.zeros(1, 1))
    with pytest.raises(Finding) as raised:
        examine_second_call([smallest], usual, KeepsTheFirst)
    assert raised.value.mistakes == (KEPT,)
    assert raised.value.share == SHARE
    examine_second_call([smallest], usual, nn.Identity)
    examine_second_call([], usual, KeepsTheFirst)
