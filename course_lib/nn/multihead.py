"""Multi-head attention: several attentions side by side, each in its own small space.

Vaswani et al., 2017, arXiv:1706.03762, section 3.2.2. The linear layers are called wq, wk, wv and dense as in the
source of the course's exercise; exams copy weights into students' modules by these names.
"""

from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.nn.attention import scaled_dot_product_attention


def split_heads(x: Float[Tensor, "batch n d"], num_heads: int) -> Float[Tensor, "batch {num_heads} n d_head"]:
    """Cut the features into num_heads pieces: head j holds features j·d/h … (j+1)·d/h − 1."""
    return x.unflatten(-1, (num_heads, _head_width(x.shape[-1], num_heads))).transpose(1, 2)


def merge_heads(x: Float[Tensor, "batch heads n d_head"]) -> Float[Tensor, "batch n d"]:
    """Put the heads' features side by side again: the inverse of split_heads."""
    return x.transpose(1, 2).flatten(-2)


class MultiHeadAttention(nn.Module):
    """concat(head_1, …, head_h) W_o, where head_j attends with its own part of q W_q, k W_k and v W_v.

    A head is d_model / num_heads wide unless d_k (of queries and keys) or d_v (of values) says otherwise.
    """

    def __init__(self, d_model: int, num_heads: int, d_k: int | None = None, d_v: int | None = None):
        super().__init__()
        d_k = d_k or _head_width(d_model, num_heads)
        d_v = d_v or _head_width(d_model, num_heads)
        self.num_heads = num_heads
        self.wq = nn.Linear(d_model, num_heads * d_k)
        self.wk = nn.Linear(d_model, num_heads * d_k)
        self.wv = nn.Linear(d_model, num_heads * d_v)
        self.dense = nn.Linear(num_heads * d_v, d_model)

    def forward(
        self,
        q: Float[Tensor, "batch n_q d_model"],
        k: Float[Tensor, "batch n_k d_model"],
        v: Float[Tensor, "batch n_k d_model"],
        mask: Bool[Tensor, "..."] | None = None,
    ) -> tuple[Float[Tensor, "batch n_q d_model"], Float[Tensor, "batch heads n_q n_k"]]:
        return self.attend(q, *self.keys_and_values(k, v), mask)

    def keys_and_values(
        self, k: Float[Tensor, "batch n_k d_model"], v: Float[Tensor, "batch n_k d_model"]
    ) -> tuple[Float[Tensor, "batch heads n_k d_k"], Float[Tensor, "batch heads n_k d_v"]]:
        """What every query looks at: worth keeping when queries arrive one at a time."""
        return split_heads(self.wk(k), self.num_heads), split_heads(self.wv(v), self.num_heads)

    def attend(
        self,
        q: Float[Tensor, "batch n_q d_model"],
        keys: Float[Tensor, "batch heads n_k d_k"],
        values: Float[Tensor, "batch heads n_k d_v"],
        mask: Bool[Tensor, "..."] | None = None,
    ) -> tuple[Float[Tensor, "batch n_q d_model"], Float[Tensor, "batch heads n_q n_k"]]:
        queries = split_heads(self.wq(q), self.num_heads)
        output, weights = scaled_dot_product_attention(queries, keys, values, mask)
        return self.dense(merge_heads(output)), weights


@runtime_checkable
class HeadsInParts(Protocol):
    num_heads: int
    wq: nn.Linear
    wk: nn.Linear
    wv: nn.Linear
    dense: nn.Linear


def load_from_torch(mha: HeadsInParts, torch_mha: nn.MultiheadAttention) -> None:
    """Copy the weights of nn.MultiheadAttention, which keeps W_q, W_k and W_v stacked in one matrix.

    `mha` is a MultiHeadAttention or any other module with its parts.
    """
    if torch_mha.in_proj_weight is None or torch_mha.bias_k is not None:
        raise ValueError("expected an nn.MultiheadAttention without kdim, vdim and add_bias_kv")
    wanted, received = (mha.wq.in_features, mha.num_heads), (torch_mha.embed_dim, torch_mha.num_heads)
    if wanted != received:
        raise ValueError(f"expected (d_model, num_heads) = {wanted}, the torch module has {received}")
    with torch.no_grad():
        stacked = torch_mha.in_proj_weight.chunk(3)
        bias = torch_mha.in_proj_bias
        stacked_bias = (None, None, None) if bias is None else bias.chunk(3)
        for linear, weight, shift in zip((mha.wq, mha.wk, mha.wv), stacked, stacked_bias, strict=True):
            _copy(linear, weight, shift)
        _copy(mha.dense, torch_mha.out_proj.weight, torch_mha.out_proj.bias)


def parameter_count(d_model: int, num_heads: int) -> int:
    """4 (d_model² + d_model): four square matrices with biases, however many heads share them."""
    _head_width(d_model, num_heads)
    return 4 * (d_model * d_model + d_model)


def _copy(linear: nn.Linear, weight: Tensor, bias: Tensor | None) -> None:
    linear.weight.copy_(weight)
    if bias is None:
        linear.bias.zero_()
    else:
        linear.bias.copy_(bias)


def _head_width(d_model: int, num_heads: int) -> int:
    if num_heads < 1 or d_model % num_heads:
        raise ValueError(f"num_heads must divide d_model, got d_model = {d_model} and num_heads = {num_heads}")
    return d_model // num_heads
