"""What the practice quizzes claim, measured."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_lib.models.configs import LanguageModelConfig
from course_lib.models.decoder_only import DecoderOnly, generate
from course_lib.models.encoder_only import EncoderOnly
from course_lib.models.patches import PatchEmbedding, patchify
from course_lib.models.vision_transformer import interpolate_positions
from course_lib.nn.attention import attention_matrix, column_attention, gram_attention, scaled_dot_product_attention
from course_lib.nn.blocks import DecoderBlock, EncoderBlock
from course_lib.nn.feedforward import FeedForward
from course_lib.nn.masks import create_look_ahead_mask, create_padding_mask, streaming_mask
from course_lib.nn.multihead import MultiHeadAttention
from course_lib.nn.norm import LayerNorm
from course_lib.nn.positions import LearnedPositions, relative_position_bias, rotate, shift_matrix, sinusoidal_encoding
from course_lib.nn.softmax import softmax, softmax_jacobian
from course_lib.training.objectives import shift_right, teacher_forcing_loss

close = torch.testing.assert_close


def test_unit_00():
    assert (torch.ones(2, 3, 1) * torch.ones(2, 1, 4)).shape == (2, 3, 4)  # stretched_sizes
    assert (torch.ones(2, 3, 5) @ torch.ones(5, 7)).shape == (2, 3, 7)  # shared_weight


def test_unit_01():
    weights = torch.tensor([2.0, 1.0, 0.0]).softmax(0)  # blocked_afterwards
    assert round(float(weights[:2].sum()), 2) == 0.91
    q, k, v, order = torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2), torch.randperm(5)
    close(scaled_dot_product_attention(q, k[order], v[order])[0], scaled_dot_product_attention(q, k, v)[0])
    X = torch.randn(4, 3)
    close(gram_attention(2 * X), 8 * gram_attention(X))  # doubled_input
    close(column_attention(q.T, k.T, torch.eye(5), 1.0).sum(0), torch.ones(3))  # wrong_direction
    w_q, w_k = torch.randn(3, 2), torch.randn(3, 2)
    assert not torch.allclose(attention_matrix(X, w_q, w_k), attention_matrix(torch.randn(4, 3), w_q, w_k))


def test_unit_02():
    x = torch.randn(6)
    top = x + 5 * F.one_hot(x.argmax(), 6)
    close(softmax(x + 5, 0), softmax(x, 0))  # harmless_change
    assert softmax(5 * x, 0).max() > softmax(x, 0).max()
    assert softmax(top, 0).max() > softmax(x, 0).max()
    close(softmax_jacobian(x).sum(0), torch.zeros(6), atol=1e-6, rtol=0)  # one_score_rises
    narrow, wide = ((torch.randn(40_000, d) * torch.randn(40_000, d)).sum(-1).std() for d in (16, 64))
    assert abs(wide / narrow - 2) < 0.1  # four_times_as_wide
    sure = torch.tensor([math.log(0.999 / 0.001), 0.0])
    assert softmax_jacobian(sure).abs().max() < 1e-3  # a_sure_winner
    assert softmax(x / 2, 0).max() < softmax(x, 0).max()  # twice_as_hot
    keys, query = torch.randn(5, 3), torch.tensor([1.0, 0.0, 0.0])
    moved = keys.clone()
    moved[2, 1:] += 10
    close(softmax(moved @ query, 0), softmax(keys @ query, 0))  # orthogonal_move
    close(softmax(0.3 * (keys @ (2 * query)), 0), softmax(0.6 * (keys @ query), 0))  # twice_the_query


def test_unit_03():
    X = torch.randn(5, 4)
    swapped = X[[1, 0, 2, 3, 4]]
    close(scaled_dot_product_attention(swapped, swapped, swapped)[0][2], scaled_dot_product_attention(X, X, X)[0][2])
    change = sinusoidal_encoding(50, 16).diff(dim=0).abs().mean(0)
    assert change[:2].min() > change[-2:].max()  # fast_columns
    close(shift_matrix(3, 8) @ shift_matrix(-3, 8), torch.eye(8), atol=1e-6, rtol=0)  # there_and_back
    with pytest.raises(ValueError, match="16"):
        LearnedPositions(16, 8)(torch.zeros(1, 20, 8))  # place_without_a_row
    bias = relative_position_bias(100, torch.arange(9.0))  # numbers_for_distances
    assert bias.shape == (100, 100)
    assert bias.unique().numel() == 9
    q = torch.randn(3, 8)
    close(rotate(q, torch.tensor([0, 7, 500])).norm(dim=-1), q.norm(dim=-1))  # length_of_a_turned_query


def test_unit_04():
    x = torch.randn(1, 5, 16)
    assert MultiHeadAttention(16, 8)(x, x, x)[1].shape == (1, 8, 5, 5)  # how_many_maps
    numbered = torch.arange(2 * 4 * 6).reshape(2, 4, 6)  # straight_reshape
    straight = numbered.reshape(2, 3, 4, 2)
    assert set(straight[1].flatten().tolist()) == set(numbered[1].flatten().tolist())
    assert len({number // 6 for number in straight[0, 0].flatten().tolist()}) > 1
    theirs, ours = nn.MultiheadAttention(6, 2, batch_first=True), torch.randn(1, 3, 6)
    keys = theirs.in_proj_weight[6:12]  # where_the_keys_lie
    before = theirs(ours, ours, ours)[1]
    with torch.no_grad():
        keys.zero_()
    assert not torch.allclose(theirs(ours, ours, ours)[1], before)
    close(theirs(ours, ours, ours)[1], torch.full((1, 3, 3), 1 / 3))  # without keys nobody is preferred
    close((1e5 * torch.tensor([1.0, 1.0, 0.0])).softmax(0), torch.tensor([0.5, 0.5, 0.0]))  # two_equal_winners


def test_unit_05():
    q, k, v = torch.randn(3, 4, 5).unbind()
    mask = create_look_ahead_mask(4)[0, 0]
    close(scaled_dot_product_attention(q, k, v, mask)[0][0], v[0])  # the_first_token
    tokens = torch.tensor([[5, 6, 0, 0]])
    padded = scaled_dot_product_attention(q, k, v, create_padding_mask(tokens, 0)[0, 0])[0]
    assert padded[2:].isfinite().all()  # what_padding_computes
    assert (padded[2:].abs() > 1e-6).all()
    seen = (~streaming_mask(20, 2)[0, 0]).float()
    reach = (torch.linalg.matrix_power(seen, 3) > 0)[19].nonzero().min()
    assert 19 - int(reach) == 6  # three_short_looks
    scores = torch.randn(3, requires_grad=True)
    (scores + torch.full((3,), -torch.inf)).softmax(0).nan_to_num(0.0).sum().backward()
    assert scores.grad.isnan().all()  # mended_nan
    late = (q @ k.T).softmax(-1).masked_fill(mask, 0.0)
    assert (late[:-1].sum(-1) < 1).all()  # a_short_row
    x = torch.randn(1, 6, 8)
    close(LayerNorm(8)(10 * x), LayerNorm(8)(x), atol=1e-3, rtol=1e-3)  # ten_times_the_token
    changed = x.clone()
    changed[:, 3] += 1
    network = FeedForward(8, 16)
    moved = (network(changed) - network(x)).abs().amax(-1)[0] > 1e-6
    assert moved.tolist() == [False] * 3 + [True] + [False] * 2  # one_token_changes
    block = DecoderBlock(8, 2, 16)
    assert block(x, torch.randn(1, 10, 8)).shape == block(x, torch.randn(1, 5, 8)).shape  # longer_memory
    first, after = (EncoderBlock(8, 2, 16, norm_first=first)(5 * x) for first in (True, False))
    assert (first.var(-1, unbiased=False) - 1).abs().max() > 0.5  # after_the_last_sum
    close(after.var(-1, unbiased=False), torch.ones(1, 6), atol=1e-3, rtol=0)
    y = torch.randn(3, requires_grad=True)
    (y - y).sum().backward()
    assert (y.grad == 0).all()  # a_sublayer_that_cancels


def test_unit_06():
    assert shift_right(torch.tensor([[5, 6, 2]]), 1).tolist() == [[1, 5, 6]]  # before_the_end
    wanted = torch.full((1, 1, 5), 0.1 / 5)  # lowest_loss: the logits of the smoothed distribution itself
    wanted[..., 2] += 0.9
    floor = teacher_forcing_loss(wanted.log(), torch.tensor([[2]]), 0, 0.1)
    close(floor, -(wanted * wanted.log()).sum())
    assert floor > 0.1
    certain = torch.tensor([[[0.0, 0.0, 50.0, 0.0, 0.0]]])
    assert teacher_forcing_loss(certain, torch.tensor([[2]]), 0, 0.1) > floor

    def rate(step, warmup):
        return 48**-0.5 * min(step**-0.5, step * warmup**-1.5)

    tops = [max(rate(step, warmup) for step in range(1, 2000)) for warmup in (100, 400)]
    assert abs(tops[0] / tops[1] - 2) < 1e-6  # longer_warm_up
    assert round(0.99**10, 2) == 0.9  # ten_characters
    keys, values = MultiHeadAttention(16, 4).keys_and_values(torch.randn(1, 1, 16), torch.randn(1, 1, 16))
    assert keys.numel() + values.numel() == 2 * 16  # what_a_cache_keeps


def test_unit_07():
    sizes = LanguageModelConfig(9, d_model=16, num_heads=2, d_ff=32, num_layers=3, max_len=8)
    encoder, decoder = EncoderOnly(sizes), DecoderOnly(sizes).eval()
    counts = [sum(p.numel() for p in model.parameters()) for model in (encoder, decoder)]
    assert counts[0] == counts[1]  # weights_of_two_families
    tokens = torch.randint(9, (1, 8))
    changed = tokens.clone()
    changed[0, 5] = (changed[0, 5] + 1) % 9
    moved = (decoder(changed) - decoder(tokens)).abs().amax(-1)[0] > 1e-6
    assert moved.tolist() == [False] * 5 + [True] * 3  # deeper_and_causal

    class SameLogits(nn.Module):
        def forward(self, tokens):
            return torch.tensor([1.0, 3.0, 2.0]).expand(*tokens.shape, 3)

    assert (generate(SameLogits(), torch.zeros(50, 1).long(), 1, 5.0, 1)[:, 1] == 1).all()  # hot_but_alone
    a, b = torch.zeros(2, 4, requires_grad=True), torch.zeros(3, 2, requires_grad=True)
    (torch.randn(5, 4) @ a.T @ b.T).sum().backward()
    assert (a.grad == 0).all()  # two_zeros
    assert (b.grad == 0).all()


def test_unit_08():
    assert patchify(torch.zeros(1, 1, 224, 224), 16).shape == (1, 196, 256)  # tokens_of_an_image
    image = torch.randn(1, 1, 8, 8)
    assert nn.Conv2d(1, 4, 2, stride=1)(image).flatten(2).shape[-1] > patchify(image, 2).shape[1]  # window_of_one_step
    assert abs(F.cross_entropy(torch.zeros(1, 10), torch.tensor([3])).item() - 2.303) < 1e-3  # untrained_loss
    embedding, scrambled = PatchEmbedding(2, 1, 6), PatchEmbedding(2, 1, 6)  # scrambled_inside
    order = torch.tensor([2, 0, 3, 1])
    scrambled.load_state_dict(embedding.state_dict() | {"proj.weight": embedding.proj.weight[:, order]})
    close(patchify(image, 2)[..., order] @ scrambled.proj.weight.T + scrambled.proj.bias, embedding(image))
    assert interpolate_positions(torch.randn(1, 17, 4), (4, 4), (8, 8)).shape == (1, 65, 4)  # rows_of_a_new_table
