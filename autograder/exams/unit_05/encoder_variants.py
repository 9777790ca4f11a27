"""Encoder blocks with one mistake each, and in styles that are right."""

import torch.nn.functional as F
from torch import nn

from autograder.exams.unit_05.block_steps import EncoderSteps
from course_lib.nn.multihead import MultiHeadAttention


class NoMask(EncoderSteps):
    def look(self, y, mask):
        return super().look(y, None)


class MaskInverted(EncoderSteps):
    def look(self, y, mask):
        return super().look(y, None if mask is None else ~mask)


class OneNorm(EncoderSteps):
    def around(self, x, norm, sublayer):
        return super().around(x, self.norm1, sublayer)


class NormsSwapped(EncoderSteps):
    def around(self, x, norm, sublayer):
        return super().around(x, self.norm2 if norm is self.norm1 else self.norm1, sublayer)


class QueriesOnlyNormalised(EncoderSteps):
    def around(self, x, norm, sublayer):
        if self.norm_first and norm is self.norm1:
            return x + self.drop(self.self_attention(norm(x), x, x)[0])
        return super().around(x, norm, sublayer)


class SecondReadsInput(EncoderSteps):
    """The network takes the block's input, not what attention made of it."""

    def forward(self, x, mask=None):
        self.around(x, self.norm1, lambda y: self.look(y, mask))
        return self.around(x, self.norm2, self.feed_forward)


class QueriesOnlyNormalisedMasked(EncoderSteps):
    def around(self, x, norm, sublayer):
        self.unnormalised = x
        return super().around(x, norm, sublayer)

    def look(self, y, mask):
        x = self.unnormalised if self.norm_first else y
        return self.self_attention(y, x, x, mask)[0]


class Parallel(EncoderSteps):
    """Both sublayers take the block's input, as in GPT-J."""

    def forward(self, x, mask=None):
        if not self.norm_first:
            return super().forward(x, mask)
        return x + self.drop(self.look(self.norm1(x), mask)) + self.drop(self.feed_forward(self.norm2(x)))


class ResidualOfInput(EncoderSteps):
    """What is added is the block's input, both times."""

    def forward(self, x, mask=None):
        if self.norm_first:
            y = x + self.drop(self.look(self.norm1(x), mask))
            return x + self.drop(self.feed_forward(self.norm2(y)))
        y = self.norm1(x + self.drop(self.look(x, mask)))
        return self.norm2(x + self.drop(self.feed_forward(y)))


class NetworkFirst(EncoderSteps):
    def forward(self, x, mask=None):
        x = self.around(x, self.norm2, self.feed_forward)
        return self.around(x, self.norm1, lambda y: self.look(y, mask))


class NoMaskBefore(EncoderSteps):
    def look(self, y, mask):
        return super().look(y, None if self.norm_first else mask)


class NoMaskAfter(EncoderSteps):
    def look(self, y, mask):
        return super().look(y, mask if self.norm_first else None)


class NoSecondResidual(EncoderSteps):
    def forward(self, x, mask=None):
        x = self.around(x, self.norm1, lambda y: self.look(y, mask))
        if self.norm_first:
            return self.drop(self.feed_forward(self.norm2(x)))
        return self.norm2(self.drop(self.feed_forward(x)))


class ReturnsWeights(EncoderSteps):
    def forward(self, x, mask=None):
        return super().forward(x, mask), self.self_attention(x, x, x, mask)[1]


def mixed(step: type) -> type:
    return type(step.__name__, (step, EncoderSteps), {})


class WrittenOut(nn.Module):
    """Both orders in full; torch's norms."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model)
        )
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            attended, _ = self.self_attention(y, y, y, mask)
            x = x + self.dropout1(attended)
            return x + self.dropout2(self.feed_forward(self.norm2(x)))
        attended, _ = self.self_attention(x, x, x, mask)
        x = self.norm1(x + self.dropout1(attended))
        return self.norm2(x + self.dropout2(self.feed_forward(x)))


class OneLine(EncoderSteps):
    def around(self, x, norm, sublayer):
        change = F.dropout(sublayer(norm(x) if self.norm_first else x), self.drop.p, self.training)
        return x + change if self.norm_first else norm(x + change)


class KeywordMask(EncoderSteps):
    def look(self, y, mask):
        output, _ = self.self_attention(q=y, k=y, v=y, mask=mask)
        return output


class InBranches(EncoderSteps):
    """Norms that do nothing where they are not wanted."""

    def forward(self, x, mask=None):
        for norm, sublayer in ((self.norm1, lambda y: self.look(y, mask)), (self.norm2, self.feed_forward)):
            before, after = (norm, nn.Identity()) if self.norm_first else (nn.Identity(), norm)
            x = after(x + self.drop(sublayer(before(x))))
        return x
