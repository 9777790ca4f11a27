"""Encoder and decoder blocks: PyTorch's numbers and gradients in both orders, and causality."""

import pytest
import torch
from builders.torch_weights import assert_close, assert_same_gradients, carry_over
from torch import nn

from course_lib.nn.blocks import DecoderBlock, EncoderBlock
from course_lib.nn.equivariance import is_permutation_equivariant

D, D_FF, N_TGT, N_SRC = 12, 20, 5, 7


@pytest.fixture(params=[False, True], ids=["post-norm", "pre-norm"])
def norm_first(request):
    return request.param


@pytest.fixture(params=[1, 4], ids=["one head", "four heads"])
def heads(request):
    return request.param


def causal(n):
    return torch.ones(n, n, dtype=torch.bool).triu(1)


def padding(batch, n):
    lengths = torch.tensor([n, 2, n - 1])[:batch]
    return torch.arange(n) >= lengths[:, None]


def pull_back(output, wanted):
    pull = torch.randn_like(wanted)
    (output * pull).sum().backward()
    (wanted * pull).sum().backward()


@pytest.mark.parametrize("masked", [False, True])
def test_encoder_block_is_torchs(heads, norm_first, masked, dtype):
    ours = EncoderBlock(D, heads, D_FF, norm_first=norm_first).to(dtype)
    theirs = nn.TransformerEncoderLayer(
        D, heads, D_FF, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=dtype
    )
    carry_over(ours, theirs)
    x = torch.randn(3, N_SRC, D, dtype=dtype, requires_grad=True)
    y = x.detach().clone().requires_grad_()
    blocked = padding(3, N_SRC) if masked else None
    output = ours(x, None if blocked is None else blocked[:, None, None])
    wanted = theirs(y, src_key_padding_mask=blocked)
    assert_close(output, wanted)
    pull_back(output, wanted)
    assert_close(x.grad, y.grad)
    assert_same_gradients(ours, theirs)


@pytest.mark.parametrize("masked", [False, True])
def test_decoder_block_is_torchs(heads, norm_first, masked, dtype):
    ours = DecoderBlock(D, heads, D_FF, norm_first=norm_first).to(dtype)
    theirs = nn.TransformerDecoderLayer(
        D, heads, D_FF, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=dtype
    )
    carry_over(ours, theirs)
    x = torch.randn(3, N_TGT, D, dtype=dtype, requires_grad=True)
    memory = torch.randn(3, N_SRC, D, dtype=dtype, requires_grad=True)
    x_theirs, memory_theirs = (t.detach().clone().requires_grad_() for t in (x, memory))
    ahead, blocked = (causal(N_TGT), padding(3, N_SRC)) if masked else (None, None)
    output = ours(x, memory, ahead, None if blocked is None else blocked[:, None, None])
    wanted = theirs(x_theirs, memory_theirs, tgt_mask=ahead, memory_key_padding_mask=blocked)
    assert_close(output, wanted)
    pull_back(output, wanted)
    assert_close(x.grad, x_theirs.grad)
    assert_close(memory.grad, memory_theirs.grad)
    assert_same_gradients(ours, theirs)


def test_the_future_changes_nothing_and_gets_no_gradient(heads, norm_first):
    block = DecoderBlock(D, heads, D_FF, norm_first=norm_first)
    memory, x = torch.randn(2, N_SRC, D), torch.randn(2, N_TGT, D, requires_grad=True)
    output = block(x, memory, causal(N_TGT))
    for t in range(N_TGT):
        changed = x.detach().clone()
        changed[:, t] += torch.randn(D)  # a constant would vanish under the norm
        moved = (block(changed, memory, causal(N_TGT)) - output).abs().amax((0, 2)) > 1e-6
        assert not moved[:t].any()
        assert moved[t:].all()
        (gradient,) = torch.autograd.grad(output[:, t].square().sum(), x, retain_graph=True)
        assert gradient[:, t + 1 :].eq(0).all()
        assert gradient[:, : t + 1].abs().amax((0, 2)).gt(0).all()


def test_padding_changes_nothing(norm_first):
    block, x = EncoderBlock(D, 4, D_FF, norm_first=norm_first), torch.randn(2, 4, D)
    padded = torch.cat([x, torch.randn(2, 3, D) * 50], 1)
    mask = (torch.arange(7) >= 4).expand(2, 1, 1, 7)
    torch.testing.assert_close(block(padded, mask)[:, :4], block(x))
    assert not torch.allclose(block(padded)[:, :4], block(x))


def test_an_encoder_block_is_equivariant_and_keeps_sequences_apart(norm_first):
    block, x = EncoderBlock(D, 4, D_FF, norm_first=norm_first), torch.randn(3, 4, D)
    assert is_permutation_equivariant(block, x, torch.tensor([2, 0, 3, 1]))
    alone = torch.cat([block(row[None]) for row in x])
    torch.testing.assert_close(block(x), alone)


@pytest.mark.parametrize(("batch", "n_tgt", "n_src"), [(0, 2, 3), (1, 1, 1), (2, 1, 5)])
def test_smallest_sizes(batch, n_tgt, n_src):
    x, memory = torch.randn(batch, n_tgt, 3), torch.randn(batch, n_src, 3)
    assert EncoderBlock(3, 1, 5)(x).shape == x.shape
    assert DecoderBlock(3, 1, 5)(x, memory, causal(n_tgt)).shape == x.shape


def test_dropout_is_on_each_sublayer_before_it_is_added():
    block = DecoderBlock(D, 4, D_FF, dropout=1.0, norm_first=True)
    x = torch.randn(2, N_TGT, D)
    torch.testing.assert_close(block(x, torch.randn(2, N_SRC, D)), x)
    assert not torch.allclose(block.eval()(x, torch.randn(2, N_SRC, D)), x)
