"""Which parameter of the reference is which part of PyTorch's own: to carry weights, to compare gradients."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from course_lib.nn.blocks import DecoderBlock, EncoderBlock
from course_lib.nn.multihead import MultiHeadAttention
from course_lib.nn.norm import LayerNorm

TOLERANCE = {torch.float32: 2e-5, torch.float64: 1e-11}


def matching(ours: nn.Module, theirs: nn.Module) -> Iterator[tuple[Tensor, Tensor, slice]]:
    """(our parameter, their parameter, the rows of theirs that are ours)."""
    whole = slice(None)
    match ours:
        case nn.Linear():
            yield ours.weight, theirs.weight, whole
            yield ours.bias, theirs.bias, whole
        case LayerNorm():
            yield ours.gain, theirs.weight, whole
            yield ours.shift, theirs.bias, whole
        case MultiHeadAttention():
            d = theirs.embed_dim
            for i, linear in enumerate((ours.wq, ours.wk, ours.wv)):
                yield linear.weight, theirs.in_proj_weight, slice(i * d, (i + 1) * d)
                yield linear.bias, theirs.in_proj_bias, slice(i * d, (i + 1) * d)
            yield from matching(ours.dense, theirs.out_proj)
        case EncoderBlock() | DecoderBlock():
            yield from matching(ours.self_attention, theirs.self_attn)
            yield from matching(ours.feed_forward.expand, theirs.linear1)
            yield from matching(ours.feed_forward.contract, theirs.linear2)
            yield from matching(ours.norm1, theirs.norm1)
            yield from matching(ours.norm2, theirs.norm2)
            if isinstance(ours, DecoderBlock):
                yield from matching(ours.cross_attention, theirs.multihead_attn)
                yield from matching(ours.norm3, theirs.norm3)
        case nn.ModuleList():
            for mine, other in zip(ours, theirs, strict=True):
                yield from matching(mine, other)
        case _:
            raise TypeError(f"no PyTorch module is known for {type(ours).__name__}")


def carry_over(ours: nn.Module, theirs: nn.Module) -> None:
    """Give their parameters random values (zero biases would hide mistakes), and ours the same."""
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.1)
        for mine, other, rows in matching(ours, theirs):
            mine.copy_(other[rows])


def assert_same_gradients(ours: nn.Module, theirs: nn.Module) -> None:
    for mine, other, rows in matching(ours, theirs):
        assert_close(mine.grad, other.grad[rows])


def assert_close(got: Tensor, wanted: Tensor) -> None:
    """Shapes and dtypes too; the tolerance grows with the size of the numbers."""
    tolerance = TOLERANCE[wanted.dtype]
    torch.testing.assert_close(got, wanted, rtol=tolerance, atol=tolerance * max(1.0, wanted.abs().max().item()))
