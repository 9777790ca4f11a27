"""Multi-head attention: PyTorch's numbers with PyTorch's weights, and heads that are where they should be."""

import pytest
import torch
import torch.nn.functional as F
from builders.torch_weights import assert_close, assert_same_gradients, carry_over
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib.nn.equivariance import is_permutation_equivariant
from course_lib.nn.multihead import (
    MultiHeadAttention,
    load_from_torch,
    merge_heads,
    parameter_count,
    split_heads,
)

size = st.integers(1, 5)


@given(st.integers(0, 3), size, size, size)
def test_heads_hold_consecutive_features(batch, n, heads, d_head):
    x = torch.randn(batch, n, heads * d_head)
    split = split_heads(x, heads)
    assert split.shape == (batch, heads, n, d_head)
    for j in range(heads):
        assert torch.equal(split[:, j], x[:, :, j * d_head : (j + 1) * d_head])
    assert torch.equal(merge_heads(split), x)


@pytest.mark.parametrize("masked", ["no mask", "causal", "padding"])
@pytest.mark.parametrize(("d_model", "heads"), [(12, 4), (7, 1), (6, 6)])
def test_values_weights_and_gradients_are_torchs(d_model, heads, masked, dtype):
    ours = MultiHeadAttention(d_model, heads).to(dtype)
    theirs = nn.MultiheadAttention(d_model, heads, batch_first=True, dtype=dtype)
    carry_over(ours, theirs)
    q, memory = torch.randn(3, 5, d_model, dtype=dtype), torch.randn(3, 5, d_model, dtype=dtype)
    inputs = [x.clone().requires_grad_() for x in (q, memory, q, memory)]
    causal = torch.ones(5, 5, dtype=torch.bool).triu(1) if masked == "causal" else None
    padding = torch.arange(5) >= torch.tensor([[5], [2], [4]]) if masked == "padding" else None
    mask = causal if padding is None else padding[:, None, None]
    output, weights = ours(inputs[0], inputs[1], inputs[1], mask)
    wanted, wanted_weights = theirs(
        *(inputs[2], inputs[3], inputs[3]),
        attn_mask=causal,
        key_padding_mask=padding,
        average_attn_weights=False,
    )
    assert_close(output, wanted)
    assert_close(weights, wanted_weights)
    pull = torch.randn_like(wanted)
    (output * pull).sum().backward()
    (wanted * pull).sum().backward()
    assert_close(inputs[0].grad, inputs[2].grad)
    assert_close(inputs[1].grad, inputs[3].grad)
    assert_same_gradients(ours, theirs)


@given(st.integers(0, 2), size, size, size, size, size)
def test_general_widths_are_a_loop_over_heads(batch, n_q, n_k, heads, d_k, d_v):
    d_model = 5
    module = MultiHeadAttention(d_model, heads, d_k=d_k, d_v=d_v).double()
    q, k, v = (torch.randn(batch, n, d_model, dtype=torch.float64) for n in (n_q, n_k, n_k))
    outputs = []
    for j in range(heads):
        keys, values = slice(j * d_k, (j + 1) * d_k), slice(j * d_v, (j + 1) * d_v)
        outputs.append(
            F.scaled_dot_product_attention(module.wq(q)[..., keys], module.wk(k)[..., keys], module.wv(v)[..., values])
        )
    output, weights = module(q, k, v)
    torch.testing.assert_close(output, module.dense(torch.cat(outputs, -1)))
    assert weights.shape == (batch, heads, n_q, n_k)


@pytest.mark.parametrize("bias", [True, False])
def test_load_from_torch(bias):
    ours, theirs = MultiHeadAttention(6, 3), nn.MultiheadAttention(6, 3, bias=bias, batch_first=True)
    load_from_torch(ours, theirs)
    q, k, v = torch.randn(2, 4, 6), torch.randn(2, 5, 6), torch.randn(2, 5, 6)
    torch.testing.assert_close(ours(q, k, v)[0], theirs(q, k, v)[0])
    theirs.in_proj_weight.data.zero_()
    assert ours.wq.weight.abs().sum() > 0, "the weights are copies"


@pytest.mark.parametrize(
    ("theirs", "message"),
    [
        (nn.MultiheadAttention(6, 2), r"\(6, 3\).*\(6, 2\)"),
        (nn.MultiheadAttention(9, 3), r"\(6, 3\).*\(9, 3\)"),
        (nn.MultiheadAttention(6, 3, kdim=4), "kdim"),
        (nn.MultiheadAttention(6, 3, add_bias_kv=True), "add_bias_kv"),
    ],
)
def test_weights_that_do_not_fit_are_refused(theirs, message):
    with pytest.raises(ValueError, match=message):
        load_from_torch(MultiHeadAttention(6, 3), theirs)


@pytest.mark.parametrize(("d_model", "heads"), [(12, 4), (12, 1), (5, 5)])
def test_parameter_count(d_model, heads):
    wanted = sum(p.numel() for p in nn.MultiheadAttention(d_model, heads).parameters())
    assert parameter_count(d_model, heads) == wanted


@pytest.mark.parametrize("wrong", [lambda: MultiHeadAttention(8, 3), lambda: parameter_count(8, 3)])
def test_heads_that_do_not_divide_are_refused(wrong):
    with pytest.raises(ValueError, match=r"d_model = 8 and num_heads = 3"):
        wrong()


def test_splitting_into_heads_that_do_not_divide_is_refused():
    with pytest.raises(ValueError, match=r"d_model = 8 and num_heads = 3"):
        split_heads(torch.zeros(1, 2, 8), 3)


def test_a_mask_for_the_wrong_number_of_keys_is_refused():
    x = torch.zeros(2, 3, 4)
    with pytest.raises(ValueError, match="does not broadcast"):
        MultiHeadAttention(4, 2)(x, x, x, torch.zeros(2, 1, 1, 5, dtype=torch.bool))


def test_self_attention_is_permutation_equivariant_and_rows_of_a_batch_are_alone():
    module, x = MultiHeadAttention(6, 2), torch.randn(3, 5, 6)
    assert is_permutation_equivariant(lambda y: module(y, y, y)[0], x, torch.tensor([4, 2, 0, 1, 3]))
    together = module(x, x, x)[0]
    for b in range(3):
        torch.testing.assert_close(module(x[b : b + 1], x[b : b + 1], x[b : b + 1])[0], together[b : b + 1])
