"""Encoder and decoder blocks: attention and a feed-forward network, each added to what came in.

Vaswani et al., 2017, arXiv:1706.03762. Residual connections: He et al., 2016, arXiv:1512.03385. Norms before the
sublayers (`norm_first`): Xiong et al., 2020, arXiv:2002.04745.
"""

from collections.abc import Callable

from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.nn.feedforward import FeedForward
from course_lib.nn.multihead import MultiHeadAttention
from course_lib.nn.norm import LayerNorm


class _ResidualBlock(nn.Module):
    """The path around a sublayer: norm(x + sublayer(x)) as in the paper, or x + sublayer(norm(x))."""

    def __init__(self, dropout: float, norm_first: bool):
        super().__init__()
        self.norm_first = norm_first
        self.dropout = nn.Dropout(dropout)

    def residual(self, x: Tensor, norm: LayerNorm, sublayer: Callable[[Tensor], Tensor]) -> Tensor:
        if self.norm_first:
            return x + self.dropout(sublayer(norm(x)))
        return norm(x + self.dropout(sublayer(x)))


class EncoderBlock(_ResidualBlock):
    """Self-attention, then feed-forward; normalized after each sum, or before each sublayer if norm_first."""

    def __init__(self, d_model: int, num_heads: int, d_ff: int, dropout: float = 0.0, norm_first: bool = False):
        super().__init__(dropout, norm_first)
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)

    def forward(
        self, x: Float[Tensor, "batch n d_model"], mask: Bool[Tensor, "..."] | None = None
    ) -> Float[Tensor, "batch n d_model"]:
        x = self.residual(x, self.norm1, lambda y: self.self_attention(y, y, y, mask)[0])
        return self.residual(x, self.norm2, self.feed_forward)


class DecoderBlock(_ResidualBlock):
    """Self-attention, cross-attention to the memory, then feed-forward; the memory is taken as it comes."""

    def __init__(self, d_model: int, num_heads: int, d_ff: int, dropout: float = 0.0, norm_first: bool = False):
        super().__init__(dropout, norm_first)
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1 = LayerNorm(d_model)
        self.norm2 = LayerNorm(d_model)
        self.norm3 = LayerNorm(d_model)

    def forward(
        self,
        x: Float[Tensor, "batch n_tgt d_model"],
        memory: Float[Tensor, "batch n_src d_model"],
        self_mask: Bool[Tensor, "..."] | None = None,
        memory_mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "batch n_tgt d_model"]:
        x = self.residual(x, self.norm1, lambda y: self.self_attention(y, y, y, self_mask)[0])
        x = self.residual(x, self.norm2, lambda y: self.cross_attention(y, memory, memory, memory_mask)[0])
        return self.residual(x, self.norm3, self.feed_forward)
