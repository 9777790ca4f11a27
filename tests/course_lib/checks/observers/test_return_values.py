"""What a module returns in its two modes."""

import torch
from torch import nn

from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question


def changes(module):
    question = Question("M", module, {"x": torch.ones(20, 3, 4)}, ("output",))
    return OBSERVERS["effect of training mode"](question)["whether the outputs change in training mode"]


def test_dropout_shows_in_training_mode():
    assert changes(nn.Dropout(0.1))
    assert not changes(nn.Identity())
    assert not changes(nn.Dropout(0.0))


def test_the_module_is_left_in_eval_mode():
    module = nn.Dropout(0.5)
    changes(module)
    assert not module.training


def test_a_module_that_drops_in_both_modes_has_no_mode():
    """Whether its values are right, another criterion asks."""

    class Always(nn.Module):
        def forward(self, x):
            return 0 * nn.functional.dropout(x, 0.5, training=True)

    assert not changes(Always())
