"""The fake models: what they write, and what a later token changes."""

import torch
from torch import nn

from course_lib.checks.observers.fake_models import EOS, PAD, SOS, VOCAB, Writer
from course_lib.models.decoding import greedy_decode

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


def test_a_writer_can_be_lent():
    assert issubclass(Writer, nn.Module)
    assert all(callable(getattr(Writer, name)) for name in Writer.callback_methods)
    assert VOCAB > EOS
