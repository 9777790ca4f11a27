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
    (read,) = OBSERVERS["tokens read"](Question("training_loss", training_loss, arguments, ("loss",))).values()
    assert read.tolist() == [[SOS, 4, 5], [SOS, 6, EOS]]
    with pytest.raises(Finding, match="0 times, expected once"):
        OBSERVERS["training step"](Question("training_loss", lambda *a: torch.zeros(()), arguments, ("loss",)))


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        (training_loss, [False, True]),
        (lambda model, src, tgt, sos_id, pad_id: training_loss(model, src, tgt, sos_id, -100), [True, True]),
        (lambda model, src, tgt, sos_id, pad_id: 0 * training_loss(model, src, tgt, sos_id, pad_id), [False, False]),
    ],
)
def test_padding_is_seen_by_its_effect(loss, expected):
    tgt = torch.tensor([[4, 5, 7], [6, 8, PAD]])
    arguments = {"model": "a model", "src": SRC[:2], "tgt": tgt, "sos_id": SOS, "pad_id": PAD}
    assert (
        list(OBSERVERS["effect of padding"](Question("training_loss", loss, arguments, ("loss",))).values()) == expected
    )
