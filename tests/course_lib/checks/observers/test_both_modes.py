"""What a module returns in both modes."""

import torch
from torch import nn

from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question


def test_dropout_shows_in_training_mode_alone():
    x = torch.ones(2, 3)
    observed = OBSERVERS["values in both modes"](Question("Drop", nn.Dropout(1.0), {"x": x}, ("output",)))
    assert {name: value.tolist() for name, value in observed.items()} == {
        "output in training mode": torch.zeros(2, 3).tolist(),
        "output in eval mode": x.tolist(),
    }
