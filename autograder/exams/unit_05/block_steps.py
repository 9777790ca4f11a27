"""Encoder and decoder blocks taken apart into steps, so that a mistake or another style changes one of them."""

from torch import nn

from autograder.exam_types import ModuleCriterion
from course_lib.nn.feedforward import FeedForward
from course_lib.nn.multihead import MultiHeadAttention
from course_lib.nn.norm import LayerNorm

ORDERS = (("norms after", False), ("norms before", True))


def in_both_orders(name, points, draw, observe, **options):
    """A criterion for each order of norms, so that a block with one order alone is paid for what it does right."""
    return tuple(
        ModuleCriterion(f"{name}, {order}", points / 2, lambda d, first=first: draw(d, first), observe, **options)
        for order, first in ORDERS
    )


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


class NoResidual:
    """Mistakes that both blocks know, to be mixed into either."""

    def before(self, x, norm, sublayer):
        return self.drop(sublayer(norm(x)))

    def after(self, x, norm, sublayer):
        return norm(self.drop(sublayer(x)))


class NormOfSublayer:
    def after(self, x, norm, sublayer):
        return x + norm(self.drop(sublayer(x)))


class AlwaysAfter:
    def before(self, x, norm, sublayer):
        return self.after(x, norm, sublayer)


class AlwaysBefore:
    def after(self, x, norm, sublayer):
        return self.before(x, norm, sublayer)


class AddsNormalised:
    def before(self, x, norm, sublayer):
        y = norm(x)
        return y + self.drop(sublayer(y))


class InPlace:
    def after(self, x, norm, sublayer):
        x += self.drop(sublayer(x))
        return norm(x)


class InPlaceBefore:
    def before(self, x, norm, sublayer):
        x += self.drop(sublayer(norm(x)))
        return x


class NoDropout:
    def before(self, x, norm, sublayer):
        return x + sublayer(norm(x))

    def after(self, x, norm, sublayer):
        return norm(x + sublayer(x))


class DropoutAfterSum:
    def before(self, x, norm, sublayer):
        return self.drop(x + sublayer(norm(x)))

    def after(self, x, norm, sublayer):
        return norm(self.drop(x + sublayer(x)))


class DropoutAfterNorm:
    def before(self, x, norm, sublayer):
        return x + sublayer(self.drop(norm(x)))

    def after(self, x, norm, sublayer):
        return self.drop(norm(x + sublayer(x)))


class DropoutAfterSumAfter:
    def after(self, x, norm, sublayer):
        return norm(self.drop(x + sublayer(x)))


class DropoutAfterNormAfter:
    def after(self, x, norm, sublayer):
        return self.drop(norm(x + sublayer(x)))


class DropoutOnInput:
    def before(self, x, norm, sublayer):
        return x + sublayer(self.drop(norm(x)))

    def after(self, x, norm, sublayer):
        return norm(x + sublayer(self.drop(x)))


class DropoutOnAttentionOnly:
    def before(self, x, norm, sublayer):
        return x + (sublayer(norm(x)) if sublayer is self.feed_forward else self.drop(sublayer(norm(x))))

    def after(self, x, norm, sublayer):
        return norm(x + (sublayer(x) if sublayer is self.feed_forward else self.drop(sublayer(x))))


class NoNorms:
    def before(self, x, norm, sublayer):
        return x + self.drop(sublayer(x))

    def after(self, x, norm, sublayer):
        return x + self.drop(sublayer(x))


class NormsTwice:
    """Before and after."""

    def before(self, x, norm, sublayer):
        return norm(x + self.drop(sublayer(norm(x))))


class OrdersSwapped:
    def around(self, x, norm, sublayer):
        return self.after(x, norm, sublayer) if self.norm_first else self.before(x, norm, sublayer)


class AlwaysDropout:
    def before(self, x, norm, sublayer):
        return x + nn.functional.dropout(sublayer(norm(x)), self.drop.p)

    def after(self, x, norm, sublayer):
        return norm(x + nn.functional.dropout(sublayer(x), self.drop.p))


class UnbiasedNorm(nn.Module):
    """The LayerNorm of the Annotated Transformer."""

    def __init__(self, norm):
        super().__init__()
        self.gain, self.shift, self.eps = norm.gain, norm.shift, norm.eps

    def forward(self, x):
        return self.gain * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + self.eps) + self.shift


class NormUnbiased:
    """Blocks that are right, with norms that divide by d − 1."""

    def __init__(self, *sizes, **options):
        super().__init__(*sizes, **options)
        for name in ("norm1", "norm2", "norm3"):
            if hasattr(self, name):
                setattr(self, name, UnbiasedNorm(getattr(self, name)))
