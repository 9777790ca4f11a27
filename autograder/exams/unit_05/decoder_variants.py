"""Decoder blocks with one mistake each, and in styles that are right."""

import torch.nn.functional as F
from torch import nn

from autograder.exams.unit_05.block_steps import DecoderSteps
from course_lib.nn.masks import create_look_ahead_mask
from course_lib.nn.multihead import MultiHeadAttention


class CrossAttendsItself(DecoderSteps):
    def look_across(self, y, memory, mask):
        return self.cross_attention(y, y, y)[0]


class OneAttention(DecoderSteps):
    def look_across(self, y, memory, mask):
        return self.self_attention(y, memory, memory, mask)[0]


class CrossFirst(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.around(x, self.norm1, lambda y: self.look_across(y, memory, memory_mask))
        x = self.around(x, self.norm2, lambda y: self.look(y, self_mask))
        return self.around(x, self.norm3, self.feed_forward)


class NoCross(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.around(x, self.norm1, lambda y: self.look(y, self_mask))
        return self.around(x, self.norm3, self.feed_forward)


class NormalisesMemory(DecoderSteps):
    def look_across(self, y, memory, mask):
        return super().look_across(y, self.norm2(memory), mask)


class NormalisesMemoryBefore(DecoderSteps):
    """In the order that normalizes what goes into the sublayers."""

    def look_across(self, y, memory, mask):
        return super().look_across(y, self.norm2(memory) if self.norm_first else memory, mask)


class Rearranged(DecoderSteps):
    """The three sublayers by their names, for what changes their order or what is around one of them."""

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        self.sublayers = {
            "self": (self.norm1, lambda y: self.look(y, self_mask)),
            "cross": (self.norm2, lambda y: self.look_across(y, memory, memory_mask)),
            "network": (self.norm3, self.feed_forward),
        }
        for name in self.order:
            x = self.step(name, x, *self.sublayers[name])
        self.sublayers = {}
        return x

    order = ("self", "cross", "network")

    def step(self, name, x, norm, sublayer):
        return self.around(x, norm, sublayer)


class CrossFirstWithItsNorm(Rearranged):
    order = ("cross", "self", "network")


class NetworkBeforeCross(Rearranged):
    order = ("self", "network", "cross")


class NoDropoutAcross(Rearranged):
    def step(self, name, x, norm, sublayer):
        if name != "cross":
            return super().step(name, x, norm, sublayer)
        return x + sublayer(norm(x)) if self.norm_first else norm(x + sublayer(x))


class NoResidualAcross(Rearranged):
    def step(self, name, x, norm, sublayer):
        if name != "cross":
            return super().step(name, x, norm, sublayer)
        return self.drop(sublayer(norm(x))) if self.norm_first else norm(self.drop(sublayer(x)))


class QueryNotNormalised(Rearranged):
    def step(self, name, x, norm, sublayer):
        if name != "cross" or not self.norm_first:
            return super().step(name, x, norm, sublayer)
        return x + self.drop(sublayer(x))


class LastNormsSwapped(Rearranged):
    def step(self, name, x, norm, sublayer):
        return super().step(name, x, {"self": self.norm1, "cross": self.norm3, "network": self.norm2}[name], sublayer)


class SecondNormTwice(Rearranged):
    def step(self, name, x, norm, sublayer):
        return super().step(name, x, self.norm1 if name == "self" else self.norm2, sublayer)


class OneNorm(Rearranged):
    def step(self, name, x, norm, sublayer):
        return super().step(name, x, self.norm1, sublayer)


class NoSelfMask(DecoderSteps):
    def look(self, y, mask):
        return super().look(y, None)


class NoMemoryMask(DecoderSteps):
    def look_across(self, y, memory, mask):
        return super().look_across(y, memory, None)


class MasksSwapped(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask, self_mask)


class SelfMaskInverted(DecoderSteps):
    def look(self, y, mask):
        return super().look(y, None if mask is None else ~mask)


class MemoryMaskInverted(DecoderSteps):
    def look_across(self, y, memory, mask):
        return super().look_across(y, memory, None if mask is None else ~mask)


class OwnLookAhead(DecoderSteps):
    def look(self, y, mask):
        return super().look(y, create_look_ahead_mask(y.shape[1]))


class OneAttentionByTwoNames(DecoderSteps):
    def __init__(self, *sizes, **options):
        super().__init__(*sizes, **options)
        self.cross_attention = self.self_attention


class MemoryDetached(DecoderSteps):
    def look_across(self, y, memory, mask):
        return super().look_across(y, memory.detach(), mask)


class ReturnsWeights(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask, memory_mask), self.cross_attention(x, memory, memory)[1]


def mixed(step: type) -> type:
    return type(step.__name__, (step, DecoderSteps), {})


class WrittenOut(nn.Module):
    """Both orders in full; torch's norms."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        layers = nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model)
        self.feed_forward = nn.Sequential(*layers)
        self.drop, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.drop(self.self_attention(y, y, y, self_mask)[0])
            x = x + self.drop(self.cross_attention(self.norm2(x), memory, memory, memory_mask)[0])
            return x + self.drop(self.feed_forward(self.norm3(x)))
        x = self.norm1(x + self.drop(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.drop(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.drop(self.feed_forward(x)))


class OneLine(DecoderSteps):
    def around(self, x, norm, sublayer):
        change = F.dropout(sublayer(norm(x) if self.norm_first else x), self.drop.p, self.training)
        return x + change if self.norm_first else norm(x + change)


class InALoop(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        steps = (
            (self.norm1, lambda y: self.look(y, self_mask)),
            (self.norm2, lambda y: self.look_across(y, memory, memory_mask)),
            (self.norm3, self.feed_forward),
        )
        for norm, sublayer in steps:
            x = self.around(x, norm, sublayer)
        return x


class ByName(DecoderSteps):
    def look_across(self, y, memory, mask):
        output, _weights = self.cross_attention(q=y, k=memory, v=memory, mask=mask)
        return output
