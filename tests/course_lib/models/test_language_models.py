"""Encoder-only and decoder-only models, the masked-token objective, and sampling judged by distribution."""

import pytest
import torch
from builders.torch_weights import assert_close, carry_over
from torch import nn

from course_lib.models.configs import LanguageModelConfig
from course_lib.models.decoder_only import DecoderOnly, generate
from course_lib.models.encoder_only import EncoderOnly, mask_tokens

TOKENS = torch.tensor([[4, 5, 6, 7, 8], [9, 4, 4, 0, 0]])


def config(**changes):
    return LanguageModelConfig(
        **{"vocab": 10, "d_model": 12, "num_heads": 3, "d_ff": 16, "num_layers": 2, "max_len": 7, "pad_id": 0} | changes
    )


@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("family", [EncoderOnly, DecoderOnly])
def test_values_are_torchs(family, norm_first, dtype):
    ours = family(config(norm_first=norm_first)).to(dtype)
    layer = nn.TransformerEncoderLayer(12, 3, 16, dropout=0.0, batch_first=True, norm_first=norm_first, dtype=dtype)
    final = nn.LayerNorm(12, dtype=dtype) if norm_first else None
    theirs = nn.TransformerEncoder(layer, 2, norm=final, enable_nested_tensor=False)
    carry_over(ours.stack.blocks, theirs.layers)
    if norm_first:
        carry_over(ours.stack.norm, theirs.norm)
    x = ours.stack.embedding.weight[TOKENS] + ours.stack.positions.table[:5]
    if family is EncoderOnly:
        states = theirs(x, src_key_padding_mask=TOKENS == 0)
    else:
        states = theirs(x, mask=torch.ones(5, 5, dtype=torch.bool).triu(1))
    assert_close(ours(TOKENS), ours.output(states))


def moved_by_each_token(model):
    """[t, i]: does changing token t of the first row move the logits at i?"""
    logits = model(TOKENS)
    moved = []
    for t in range(5):
        changed = TOKENS.clone()
        changed[0, t] = 3
        moved.append((model(changed) - logits)[0].abs().amax(-1) > 1e-6)
    return torch.stack(moved)


def test_a_decoder_sees_the_past_and_an_encoder_sees_everything():
    assert torch.equal(moved_by_each_token(DecoderOnly(config())), torch.ones(5, 5).triu().bool())
    assert moved_by_each_token(EncoderOnly(config())).all()


@pytest.mark.parametrize("family", [EncoderOnly, DecoderOnly])
def test_padding_changes_nothing(family):
    model = family(config())
    torch.testing.assert_close(model(TOKENS)[1:, :3], model(TOKENS[1:, :3]))


@pytest.mark.parametrize("family", [EncoderOnly, DecoderOnly])
def test_sizes(family):
    model = family(config(num_heads=1, d_model=5, pad_id=None))
    assert model(TOKENS[:0]).shape == (0, 5, 10)
    assert model(TOKENS[:1, :1]).shape == (1, 1, 10)
    with pytest.raises(ValueError, match=r"8.*max_len = 7"):
        model(torch.zeros(1, 8, dtype=torch.long))


def test_masked_tokens_by_statistics():
    tokens = torch.randint(4, 10, (200, 100))
    kept = tokens.clone()
    inputs, labels = mask_tokens(tokens, mask_id=3, p=0.15, generator=torch.Generator().manual_seed(5))
    chosen = labels != -100
    assert torch.equal(tokens, kept)
    assert torch.equal(labels[chosen], tokens[chosen])
    assert inputs[chosen].eq(3).all()
    assert torch.equal(inputs[~chosen], tokens[~chosen])
    assert chosen.float().mean().item() == pytest.approx(0.15, abs=0.01)
    # Each token by itself: the number in a row varies like a binomial, and neighbours do not agree by habit.
    assert chosen.sum(1).float().var().item() == pytest.approx(100 * 0.15 * 0.85, rel=0.35)
    assert (chosen[:, 1:] & chosen[:, :-1]).float().mean().item() == pytest.approx(0.15**2, abs=0.006)


def test_masking_repeats_with_its_generator_and_knows_the_ends():
    tokens = torch.randint(4, 10, (3, 8))
    first, second = (mask_tokens(tokens, 3, 0.5, torch.Generator().manual_seed(7)) for _ in range(2))
    assert torch.equal(first[0], second[0])
    assert torch.equal(mask_tokens(tokens, 3, 0.0)[0], tokens)
    assert mask_tokens(tokens, 3, 1.0)[0].eq(3).all()
    with pytest.raises(ValueError, match=r"from 0 to 1, got 15"):
        mask_tokens(tokens, 3, 15.0)


class Fixed(nn.Module):
    """The same logits at every place but the last token's, which decide: a chain with known odds."""

    def __init__(self, logits):
        super().__init__()
        self.logits = torch.tensor(logits)

    def forward(self, tokens):
        return self.logits[tokens]


LOGITS = [[0.0, 1.0, 2.0, -1.0], [1.0, 0.0, 0.0, 3.0], [0.5, 0.5, 0.5, 0.5], [2.0, 0.0, 1.0, -0.5]]


@pytest.mark.parametrize(("temperature", "top_k"), [(1.0, None), (0.5, None), (2.0, 2), (1.0, 3), (1.0, 99)])
def test_sampling_has_the_odds_of_the_formula(temperature, top_k):
    prompt = torch.tensor([[2, 0], [1, 3]]).repeat_interleave(4000, 0)
    tokens = generate(Fixed(LOGITS), prompt, 1, temperature, top_k)
    assert torch.equal(tokens[:, :2], prompt)
    for last, rows in ((0, tokens[:4000]), (3, tokens[4000:])):
        logits = torch.tensor(LOGITS[last]) / temperature
        if top_k is not None and top_k < 4:
            logits[logits < logits.sort().values[-top_k]] = -torch.inf
        odds = rows[:, -1].bincount(minlength=4) / 4000
        assert (odds - logits.softmax(-1)).abs().max() < 0.03


def test_a_single_prompt_is_sampled_too():
    tokens = generate(Fixed([[0.0, 0.0], [0.0, 0.0]]), torch.tensor([[0]]), 60)
    assert 10 < tokens.sum() < 50


def test_temperature_zero_and_top_one_take_the_likeliest_each_time():
    model = DecoderOnly(config())
    prompt = TOKENS[:, :2]
    wanted = prompt
    for _ in range(4):
        wanted = torch.cat([wanted, model(wanted)[:, -1:].argmax(-1)], 1)
    assert torch.equal(generate(model, prompt, 4, temperature=0.0), wanted)
    assert torch.equal(generate(model, prompt, 4, top_k=1), wanted)
    assert model.training, "the mode is restored"


def test_generation_at_the_edges():
    model = DecoderOnly(config())
    assert torch.equal(generate(model, TOKENS, 0), TOKENS)
    assert generate(model, TOKENS[:0], 2).shape == (0, 7)
    with pytest.raises(ValueError, match="negative, got -1"):
        generate(model, TOKENS, 1, temperature=-1.0)
    with pytest.raises(ValueError, match="at least 1, got 0"):
        generate(model, TOKENS, 1, top_k=0)
