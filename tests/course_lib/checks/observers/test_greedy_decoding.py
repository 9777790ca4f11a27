"""Decoded tokens end at EOS; gradients, the training mode and the calls of the encoder are recorded."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.fake_models import EOS, PAD, SOS
from course_lib.checks.question import Question
from course_lib.models.decoding import greedy_decode

SRC = torch.tensor([[5, 9, 4, 7], [6, 3, PAD, PAD], [8, PAD, PAD, PAD]])


def test_tokens_after_the_end_are_left_out():
    arguments = {"model": "steady", "src": SRC, "sos_id": SOS, "eos_id": EOS, "max_len": 6}
    (kept,) = OBSERVERS["decoded tokens"](Question("greedy_decode", greedy_decode, arguments, ("tokens",))).values()
    assert kept.shape == (3, 6)
    assert kept[2, 1:].tolist() == [EOS, -1, -1, -1, -1]
    with pytest.raises(Finding, match=r"shape \(3,\), expected \(3, n\)"):
        OBSERVERS["decoded tokens"](Question("g", lambda *a: greedy_decode(*a)[:, 0], arguments, ("tokens",)))


def test_use_of_the_model_is_noted():
    arguments = {"model": "with dropout", "src": SRC, "sos_id": SOS, "eos_id": EOS, "max_len": 6}
    question = Question("g", greedy_decode, arguments, ("tokens",))
    assert list(OBSERVERS["gradients and training mode"](question).values()) == [False, True]
    assert list(OBSERVERS["encoder calls"](question).values()) == [1]
