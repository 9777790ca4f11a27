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
    assert list(OBSERVERS["gradients while decoding"](question).values()) == [False]
    assert list(OBSERVERS["mode after decoding"](question).values()) == ["training mode", "eval mode"]
    assert list(OBSERVERS["encoder calls"](question).values()) == [1]


def test_a_model_that_always_ends_in_training_mode_is_seen():
    def decode(model, *arguments):
        tokens = greedy_decode(model, *arguments)
        model.train()
        return tokens

    arguments = {"model": "steady", "src": SRC, "sos_id": SOS, "eos_id": EOS, "max_len": 6}
    modes = OBSERVERS["mode after decoding"](Question("g", decode, arguments, ("tokens",)))
    assert list(modes.values()) == ["training mode", "training mode"]


def test_the_end_token_may_have_another_number():
    arguments = {"model": "steady", "src": SRC, "sos_id": EOS, "eos_id": SOS, "max_len": 6}
    (kept,) = OBSERVERS["decoded tokens"](Question("g", greedy_decode, arguments, ("tokens",))).values()
    assert kept[2, 1] == SOS
