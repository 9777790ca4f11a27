"""The encoder–decoder: nn.Transformer's numbers and gradients with its weights, causality, padding, sizes."""

import dataclasses
import math

import pytest
import torch
from builders.torch_weights import assert_close, assert_same_gradients, carry_over
from torch import nn

from course_lib.models.transformer import Transformer, TransformerConfig

CONFIG = TransformerConfig(
    src_vocab=11, tgt_vocab=13, d_model=12, num_heads=3, d_ff=20, num_layers=2, max_len=9, pad_id=0
)
SRC = torch.tensor([[3, 5, 9, 10, 2, 1], [4, 4, 7, 0, 0, 0], [8, 0, 0, 0, 0, 0]])
TGT_IN = torch.tensor([[1, 5, 12, 3], [1, 7, 7, 0], [1, 0, 0, 0]])


@pytest.fixture(params=[False, True], ids=["post-norm", "pre-norm"])
def model(request):
    return Transformer(dataclasses.replace(CONFIG, norm_first=request.param))


def embedded(tokens, weight):
    """√d embedding[token] + sinusoid, feature by feature."""
    d = weight.shape[1]
    pe = torch.tensor(
        [
            [(math.cos if i % 2 else math.sin)(pos * 10000 ** (-2 * (i // 2) / d)) for i in range(d)]
            for pos in range(tokens.shape[1])
        ]
    )
    return weight[tokens] * math.sqrt(d) + pe.to(weight.dtype)


def torch_transformer(config, dtype):
    layer = (config.d_model, config.num_heads, config.d_ff)
    options = {"dropout": 0.0, "batch_first": True, "norm_first": config.norm_first, "dtype": dtype}
    encoder = nn.TransformerEncoder(
        nn.TransformerEncoderLayer(*layer, **options),
        config.num_layers,
        norm=nn.LayerNorm(config.d_model, dtype=dtype) if config.norm_first else None,
        enable_nested_tensor=False,
    )
    decoder = nn.TransformerDecoder(
        nn.TransformerDecoderLayer(*layer, **options),
        config.num_layers,
        norm=nn.LayerNorm(config.d_model, dtype=dtype) if config.norm_first else None,
    )
    return nn.Transformer(
        config.d_model, config.num_heads, custom_encoder=encoder, custom_decoder=decoder, batch_first=True
    )


def parts(ours, theirs):
    yield ours.encoder, theirs.encoder.layers
    yield ours.decoder, theirs.decoder.layers
    if ours.config.norm_first:
        yield ours.encoder_norm, theirs.encoder.norm
        yield ours.decoder_norm, theirs.decoder.norm


def test_values_and_gradients_are_torchs(model, dtype):
    ours = model.to(dtype)
    theirs = torch_transformer(model.config, dtype)
    for mine, other in parts(ours, theirs):
        carry_over(mine, other)
    logits = ours(SRC, TGT_IN)
    padding = SRC == 0
    x_src = embedded(SRC, ours.src_embedding.weight.detach()).requires_grad_()
    x_tgt = embedded(TGT_IN, ours.tgt_embedding.weight.detach()).requires_grad_()
    states = theirs(
        x_src,
        x_tgt,
        tgt_mask=torch.ones(4, 4, dtype=torch.bool).triu(1),
        src_key_padding_mask=padding,
        memory_key_padding_mask=padding,
    )
    wanted = nn.functional.linear(states, ours.output.weight.detach(), ours.output.bias.detach())
    assert_close(logits, wanted)
    pull = torch.randn_like(wanted)
    (logits * pull).sum().backward()
    (wanted * pull).sum().backward()
    for mine, other in parts(ours, theirs):
        assert_same_gradients(mine, other)
    by_token = torch.zeros_like(ours.src_embedding.weight)
    by_token.index_add_(0, SRC.flatten(), x_src.grad.flatten(0, 1) * math.sqrt(12))
    assert_close(ours.src_embedding.weight.grad, by_token)


def test_a_later_target_changes_nothing_and_gets_no_gradient(model):
    captured = []
    model.tgt_embedding.register_forward_hook(lambda module, arguments, output: captured.append(output))
    logits = model(SRC, TGT_IN)
    for t in range(4):
        changed = TGT_IN.clone()
        changed[:, t] = 11
        moved = (model(SRC, changed) - logits).abs().amax((0, 2)) > 1e-6
        assert not moved[:t].any()
        assert moved[t:].all()
        (gradient,) = torch.autograd.grad(logits[:, t].square().sum(), captured[0], retain_graph=True)
        assert gradient[:, t + 1 :].eq(0).all()
        assert gradient[:, : t + 1].abs().amax((0, 2)).gt(0).all()


def test_every_real_source_token_reaches_every_target(model):
    captured = []
    model.src_embedding.register_forward_hook(lambda module, arguments, output: captured.append(output))
    logits = model(SRC, TGT_IN)
    (gradient,) = torch.autograd.grad(logits[:, 0].square().sum(), captured[0])
    assert torch.equal(gradient.abs().amax(-1).gt(0), SRC != 0)


def test_padding_changes_nothing(model):
    logits = model(SRC, TGT_IN)
    for b, (n_src, n_tgt) in enumerate([(6, 4), (3, 3), (1, 1)]):
        alone = model(SRC[b : b + 1, :n_src], TGT_IN[b : b + 1, :n_tgt])
        torch.testing.assert_close(logits[b : b + 1, :n_tgt], alone)


def test_forward_is_encode_and_decode(model):
    memory, mask = model.encode(SRC), model.source_mask(SRC)
    assert memory.shape == (3, 6, 12)
    assert torch.equal(mask, (SRC == 0)[:, None, None])
    assert torch.equal(model.decode(TGT_IN, memory, mask), model(SRC, TGT_IN))
    torch.testing.assert_close(model.decode(TGT_IN[:1], memory[:1]), model(SRC, TGT_IN)[:1])


@pytest.mark.parametrize(("batch", "n_src", "n_tgt"), [(0, 3, 2), (1, 1, 1), (2, 9, 9)])
def test_smallest_and_largest_sizes(model, batch, n_src, n_tgt):
    src, tgt_in = torch.randint(1, 11, (batch, n_src)), torch.randint(1, 13, (batch, n_tgt))
    assert model(src, tgt_in).shape == (batch, n_tgt, 13)


def test_odd_width_and_one_head():
    model = Transformer(dataclasses.replace(CONFIG, d_model=7, num_heads=1))
    assert model(SRC, TGT_IN).isfinite().all()


def test_a_source_of_padding_only_gives_finite_numbers_and_gradients(model):
    model(torch.zeros_like(SRC), TGT_IN).sum().backward()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)


def test_what_does_not_fit_is_refused(model):
    with pytest.raises(ValueError, match=r"10.*max_len = 9"):
        model(torch.ones(1, 10, dtype=torch.long), TGT_IN[:1])
    with pytest.raises(ValueError, match=r"d_model = 12 and num_heads = 5"):
        Transformer(dataclasses.replace(CONFIG, num_heads=5))


def test_dropout_acts_in_training_only():
    model = Transformer(dataclasses.replace(CONFIG, dropout=0.5))
    assert not torch.equal(model(SRC, TGT_IN), model(SRC, TGT_IN))
    model.eval()
    assert torch.equal(model(SRC, TGT_IN), model(SRC, TGT_IN))
