"""A convolution is trained, to see what that changes."""

import pytest
import torch
from torch import nn

from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question
from course_lib.models.patches import to_convolution

PACKED = torch.randn(4, 3, 2, 2, generator=torch.Generator().manual_seed(0))


def _with_its_bias(embedding):
    convolution = to_convolution(embedding)
    convolution.bias = embedding.proj.bias
    return convolution


def _with_its_weight(embedding):
    convolution = to_convolution(embedding)
    convolution.weight.data = embedding.proj.weight.data.view(convolution.weight.shape)
    return convolution


@pytest.mark.parametrize(
    ("answer", "changed", "shared"),
    [
        (to_convolution, "bias and weight", False),
        (_with_its_bias, "bias and weight", True),
        (_with_its_weight, "bias and weight", True),
        (lambda embedding: to_convolution(embedding).requires_grad_(False), "nothing", False),
        (lambda embedding: nn.Conv2d(2, 4, 2, 2, bias=False), "weight", False),
    ],
)
def test_what_a_step_of_training_changes(answer, changed, shared):
    question = Question("to_convolution", answer, {"embedding": PACKED}, ("convolution",))
    assert list(OBSERVERS["convolution trained"](question).values()) == [changed, shared]
