"""A training step is observed by what the model reads."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.fake_models import EOS, PAD, SOS
from course_lib.checks.question import Question
from course_lib.training.objectives import training_loss

SRC = torch.tensor([[5, 9, 4, 7], [6, 3, PAD, PAD], [8, PAD, PAD, PAD]])


def test_a_training_step_is_asked_what_the_model_reads():
    tgt = torch.tensor([[4, 5, EOS], [6, EOS, PAD]])
    arguments = {"model": "a model", "src": SRC[:2], "tgt": tgt, "sos_id": SOS, "pad_id": PAD}
    found = OBSERVERS["training step"](Question("training_loss", training_loss, arguments, ("loss",)))
    assert found["what the model reads as tgt_in"].tolist() == [[SOS, 4, 5], [SOS, 6, EOS]]
    with pytest.raises(Finding, match="0 times, expected once"):
        OBSERVERS["training step"](Question("training_loss", lambda *a: torch.zeros(()), arguments, ("loss",)))
