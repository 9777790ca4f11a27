"""Weights are read out of a model by name while it runs, and nothing is left behind."""

import torch

from course_lib.nn.blocks import DecoderBlock
from course_lib.training.attention_hooks import record_attention


def test_weights_of_both_attentions():
    block = DecoderBlock(6, 2, 8)
    x, memory = torch.randn(1, 3, 6), torch.randn(1, 4, 6)
    with record_attention(block) as record:
        block(x, memory)
    assert set(record) == {"self_attention", "cross_attention"}
    torch.testing.assert_close(record["self_attention"], block.self_attention(x, x, x)[1].detach())
    assert record["cross_attention"].shape == (1, 2, 3, 4)
    assert not record["cross_attention"].requires_grad
    record.clear()
    block(x, memory)
    assert not record
