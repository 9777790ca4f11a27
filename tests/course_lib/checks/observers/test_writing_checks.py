"""What unit 06 looks at: models that write by a rule, and what decoders, losses and caches make of them."""

import pytest
import torch
from torch import nn

from course_lib.checks import Finding
from course_lib.checks.answer_forms.configs import config_data, configured
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.fake_models import EOS, PAD, SOS, VOCAB, OneHead, Writer
from course_lib.models.cached_decoding import cached_attention
from course_lib.models.configs import TransformerConfig
from course_lib.models.decoding import greedy_decode
from course_lib.training.objectives import training_loss

SRC = torch.tensor([[5, 9, 4, 7], [6, 3, PAD, PAD], [8, PAD, PAD, PAD]])


def test_a_writer_writes_one_token_for_each_source_token_and_no_place_sees_a_later_one():
    model = Writer()
    tokens = greedy_decode(model, SRC, SOS, EOS, 9)
    assert [row.tolist().index(EOS) for row in tokens] == [4, 2, 1]
    tgt_in = torch.cat([torch.full((3, 1), SOS), tokens[:, :-1]], 1)
    logits = model(SRC, tgt_in)
    assert torch.equal(logits.argmax(-1), tokens)
    for t in range(1, 5):
        changed = tgt_in.clone()
        changed[:, t] = 3 + changed[:, t] % 7
        assert torch.equal(model(SRC, changed)[:, :t], logits[:, :t])


def test_a_writer_with_dropout_writes_something_else_in_training_mode():
    model = Writer(dropout=True)
    memory = model.encode(SRC)
    assert not torch.equal(model.eval().encode(SRC), memory)
    assert torch.equal(Writer().encode(SRC), Writer().eval().encode(SRC))


def test_tokens_after_the_end_are_left_out():
    arguments = {"model": "steady", "src": SRC, "sos_id": SOS, "eos_id": EOS, "max_len": 6}
    (kept,) = OBSERVERS["written tokens"]("greedy_decode", greedy_decode, arguments, ("tokens",)).values()
    assert kept.shape == (3, 6)
    assert kept[2, 1:].tolist() == [EOS, -1, -1, -1, -1]
    with pytest.raises(Finding, match=r"shape \(3,\), expected \(3, n\)"):
        OBSERVERS["written tokens"]("g", lambda *a: greedy_decode(*a)[:, 0], arguments, ("tokens",))


def test_use_of_the_model_is_noted():
    arguments = {"model": "with dropout", "src": SRC, "sos_id": SOS, "eos_id": EOS, "max_len": 6}
    assert list(OBSERVERS["use of the model"]("g", greedy_decode, arguments, ("tokens",)).values()) == [False, True]
    assert list(OBSERVERS["passes over the source"]("g", greedy_decode, arguments, ("tokens",)).values()) == [1]


def test_a_training_step_is_asked_what_the_model_reads():
    tgt = torch.tensor([[4, 5, EOS], [6, EOS, PAD]])
    arguments = {"model": "a model", "src": SRC[:2], "tgt": tgt, "sos_id": SOS, "pad_id": PAD}
    found = OBSERVERS["training step"]("training_loss", training_loss, arguments, ("loss",))
    assert found["what the model reads as tgt_in"].tolist() == [[SOS, 4, 5], [SOS, 6, EOS]]
    with pytest.raises(Finding, match="0 times, expected once"):
        OBSERVERS["training step"]("training_loss", lambda *a: torch.zeros(()), arguments, ("loss",))


def test_cached_steps_are_causal_attention():
    arguments = {"attention": torch.randn(16, 4), "x": torch.randn(2, 5, 4)}
    found = OBSERVERS["cached steps"]("cached_attention", cached_attention, arguments, ("output", "kept"))
    x = arguments["x"]
    later = torch.ones(5, 5, dtype=torch.bool).triu(1)
    whole, _ = OneHead(arguments["attention"])(x, x, x, later)
    torch.testing.assert_close(found["the output, step by step"], whole)
    assert found["the kept keys"].shape == (2, 1, 5, 4)
    counted = OBSERVERS["tokens projected"]("cached_attention", cached_attention, arguments, ("output", "kept"))
    assert list(counted.values()) == ["1, 1, 1, 1, 1"]


def test_a_cache_must_be_keys_and_values():
    arguments = {"attention": torch.randn(16, 4), "x": torch.randn(2, 5, 4)}
    with pytest.raises(Finding, match=r"two tensors, \(keys, values\), but it is of type Tensor"):
        OBSERVERS["cached steps"]("c", lambda attention, x, kept: (x, x), arguments, ("output", "kept"))


def test_configurations_go_there_and_back():
    config = TransformerConfig(9, 7, 4, 2, 5, 1, 9, norm_first=True)
    data = config_data(config)
    assert data["TransformerConfig"]["norm_first"] is True
    assert configured([data, 3, {"other": 1}]) == [config, 3, {"other": 1}]


def test_fake_models_name_their_callback_methods():
    for stand_in in (Writer, OneHead):
        assert issubclass(stand_in, nn.Module)
        assert all(callable(getattr(stand_in, name)) for name in stand_in.callback_methods)
    assert VOCAB > EOS
