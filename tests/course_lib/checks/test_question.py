"""A question gives typed arguments and copies of tensors, and names what the answer returns."""

import pytest
import torch
from torch import Tensor

from course_lib.checks.question import Question

QUESTION = Question("scale", lambda x, factor: x.mul_(factor), {"x": torch.ones(2), "factor": 3}, ("y",))


def test_arguments_are_copied_for_the_answer():
    assert QUESTION.ask(*QUESTION.copies().values())["y"].tolist() == [3, 3]
    assert QUESTION.argument("x", Tensor).tolist() == [1, 1]


def test_an_argument_of_another_type_is_an_error_in_the_exam():
    with pytest.raises(TypeError, match="scale: factor is of type int, expected Tensor"):
        QUESTION.argument("factor", Tensor)


@pytest.mark.parametrize("steps", [[1, 2], (1, 2)])
def test_a_list_may_come_back_from_a_card_as_a_tuple(steps):
    assert QUESTION.with_arguments(x=steps).items("x") == [1, 2]


def test_replaced_arguments_keep_their_order():
    changed = QUESTION.with_arguments(x=torch.zeros(1))
    assert list(changed.arguments) == ["x", "factor"]
    assert changed.ask(*changed.copies().values())["y"].tolist() == [0]
