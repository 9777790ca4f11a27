"""Greedy decoding agrees with the parallel logits step by step, and the cache changes speed, not tokens."""

import copy
from functools import cache

import pytest
import torch
import torch.nn.functional as F

from course_lib.models.cached_decoding import cached_greedy_decode
from course_lib.models.decoding import greedy_decode, keep_to_eos
from course_lib.models.transformer import Transformer, TransformerConfig

SOS, EOS = 1, 2
decoders = pytest.mark.parametrize("decode", [greedy_decode, cached_greedy_decode])


@pytest.fixture(params=[False, True], ids=["post-norm", "pre-norm"])
def model(request):
    return copy.deepcopy(copying_model(request.param))


@cache
def copying_model(norm_first):
    """Trained a little to copy its source: a random model would write the same token for ever."""
    torch.manual_seed(2)
    model = Transformer(TransformerConfig(9, 9, 16, 2, 24, 2, 20, norm_first=norm_first))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(120):
        src = sources(batch=32)
        target = torch.cat([src, torch.zeros(32, 1, dtype=torch.long)], 1)
        target[torch.arange(32), (src != 0).sum(1)] = EOS
        tgt_in = torch.cat([torch.full((32, 1), SOS), target[:, :-1]], 1)
        loss = F.cross_entropy(model(src, tgt_in).flatten(0, 1), target.flatten(), ignore_index=0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.eval()


def sources(batch=12, n=6):
    src = torch.randint(3, 9, (batch, n))
    lengths = torch.randint(1, n + 1, (batch, 1))
    return src.masked_fill(torch.arange(n) >= lengths, 0)


def until_end(row):
    return row[: row.index(EOS) + 1] if EOS in row else row


def by_hand(model, src_row, max_len):
    """One sequence by itself, a fresh forward pass for each token."""
    tokens = [SOS]
    while len(tokens) <= max_len and tokens[-1] != EOS:
        tokens.append(int(model(src_row[None], torch.tensor([tokens]))[0, -1].argmax()))
    return tokens[1:]


@decoders
def test_each_row_is_what_it_would_be_alone(model, decode):
    src = sources()
    tokens = decode(model, src, SOS, EOS, 10)
    rows = [until_end(row) for row in tokens.tolist()]
    assert rows == [by_hand(model, row, 10) for row in src]
    assert len({len(row) for row in rows}) > 2, "rows should end at different lengths, or the test shows little"
    assert len({token for row in rows for token in row}) > 2


@decoders
def test_tokens_agree_with_the_parallel_logits(model, decode):
    src = sources()
    tokens = decode(model, src, SOS, EOS, 10)
    shifted = torch.cat([torch.full((12, 1), SOS), tokens[:, :-1]], 1)
    parallel = model(src, shifted).argmax(-1)
    for row, wanted in zip(tokens.tolist(), parallel.tolist(), strict=True):
        end = len(until_end(row))
        assert row[:end] == wanted[:end]


def test_stepwise_logits_are_the_parallel_ones(model):
    src, tgt_in = sources(), torch.randint(1, 9, (12, 8))
    memory, mask = model.encode(src), model.source_mask(src)
    steps = [model.decode(tgt_in[:, : t + 1], memory, mask)[:, -1] for t in range(8)]
    torch.testing.assert_close(torch.stack(steps, 1), model(src, tgt_in), atol=1e-4, rtol=1e-4)


def test_the_cache_gives_the_same_tokens(model):
    src = sources(batch=40)
    wanted = greedy_decode(model.double(), src, SOS, EOS, 15)
    assert torch.equal(cached_greedy_decode(model, src, SOS, EOS, 15), wanted)


@decoders
@pytest.mark.parametrize("training", [True, False])
def test_mode_is_restored_and_nothing_is_differentiated(model, decode, training):
    model.train(training)
    tokens = decode(model, sources(), SOS, EOS, 3)
    assert model.training is training
    assert tokens.shape[1] <= 3
    assert all(p.grad is None for p in model.parameters())
    with pytest.raises(ValueError, match="max_len"):
        decode(model, torch.ones(1, 30, dtype=torch.long), SOS, EOS, 3)
    assert model.training is training


@decoders
def test_dropout_is_off(decode):
    model = Transformer(TransformerConfig(9, 7, 12, 3, 16, 1, 20, dropout=0.5))
    src = sources()
    assert torch.equal(decode(model, src, SOS, EOS, 8), decode(model, src, SOS, EOS, 8))


@decoders
def test_smallest_batches_and_lengths(model, decode):
    assert decode(model, torch.zeros(0, 4, dtype=torch.long), SOS, EOS, 5).shape[0] == 0
    assert decode(model, torch.ones(1, 1, dtype=torch.long), SOS, EOS, 1).shape == (1, 1)
    assert decode(model, torch.ones(2, 3, dtype=torch.long), SOS, EOS, 0).shape == (2, 0)


@decoders
def test_decoding_stops_once_every_row_has_ended(model, decode):
    with torch.no_grad():
        model.output.bias[EOS] += 1e6
    assert decode(model, sources(), SOS, EOS, 9).tolist() == [[EOS]] * 12


def test_each_row_is_kept_to_its_own_eos():
    torch.manual_seed(0)
    tokens = torch.randint(EOS, EOS + 4, (50, 7))
    kept = keep_to_eos(tokens, EOS, pad_id=0)
    for row, after in zip(tokens.tolist(), kept.tolist(), strict=True):
        end = row.index(EOS) + 1 if EOS in row else len(row)
        assert after == row[:end] + [0] * (len(row) - end)
