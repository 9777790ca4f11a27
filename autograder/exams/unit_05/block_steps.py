"""Encoder and decoder blocks taken apart into steps, so that a mistake or another style changes one of them."""

from torch import nn

from course_lib.nn.feedforward import FeedForward
from course_lib.nn.multihead import MultiHeadAttention
from course_lib.nn.norm import LayerNorm


class Steps(nn.Module):
    """What both blocks share: the path around a sublayer, in both orders."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = FeedForward(d_model, d_ff, dropout)
        self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
        self.drop, self.norm_first = nn.Dropout(dropout), norm_first

    def around(self, x, norm, sublayer):
        return self.before(x, norm, sublayer) if self.norm_first else self.after(x, norm, sublayer)

    def before(self, x, norm, sublayer):
        return x + self.drop(sublayer(norm(x)))

    def after(self, x, norm, sublayer):
        return norm(x + self.drop(sublayer(x)))


class EncoderSteps(Steps):
    def forward(self, x, mask=None):
        x = self.around(x, self.norm1, lambda y: self.look(y, mask))
        return self.around(x, self.norm2, self.feed_forward)

    def look(self, y, mask):
        return self.self_attention(y, y, y, mask)[0]


class DecoderSteps(Steps):
    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__(d_model, num_heads, d_ff, dropout, norm_first)
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.norm3 = LayerNorm(d_model)

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.around(x, self.norm1, lambda y: self.look(y, self_mask))
        x = self.around(x, self.norm2, lambda y: self.look_across(y, memory, memory_mask))
        return self.around(x, self.norm3, self.feed_forward)

    def look(self, y, mask):
        return self.self_attention(y, y, y, mask)[0]

    def look_across(self, y, memory, mask):
        return self.cross_attention(y, memory, memory, mask)[0]
