"""The stack of blocks with one mistake each, and in styles that are right."""

import math

import torch
from torch import nn

from course_lib.nn.blocks import EncoderBlock
from course_lib.nn.masks import combine_masks, create_look_ahead_mask
from course_lib.nn.norm import LayerNorm
from course_lib.nn.positions import LearnedPositions


def make_block(config, **changes):
    sizes = {"dropout": config.dropout, "norm_first": config.norm_first} | changes
    return EncoderBlock(config.d_model, config.num_heads, config.d_ff, **sizes)


class Stack(nn.Module):
    """A right one; each mistake overrides one step of it."""

    def __init__(self, config):
        super().__init__()
        self.embedding = nn.Embedding(config.vocab, config.d_model)
        self.positions = LearnedPositions(config.max_len, config.d_model)
        self.blocks = self.make_blocks(config)
        self.norm = LayerNorm(config.d_model)

    def make_blocks(self, config):
        return nn.ModuleList([make_block(config) for _ in range(config.num_layers)])

    def forward(self, tokens, mask=None):
        return self.norm(self.through(self.embed(tokens), mask))

    def embed(self, tokens):
        return self.positions(self.embedding(tokens))

    def through(self, x, mask):
        for block in self.blocks:
            x = block(x, mask)
        return x


class NoPositions(Stack):
    def embed(self, tokens):
        return self.embedding(tokens) + 0 * self.positions.table[0]


class TokensTwice(Stack):
    def embed(self, tokens):
        return self.embedding(tokens) + super().embed(tokens)


class PositionsLate(Stack):
    def embed(self, tokens):
        return self.embedding(tokens)

    def through(self, x, mask):
        return self.positions(super().through(x, mask))


class FirstBlockOnly(Stack):
    def through(self, x, mask):
        return self.blocks[0](x, mask)


class BlocksBackwards(Stack):
    def through(self, x, mask):
        for block in reversed(self.blocks):
            x = block(x, mask)
        return x


class NormEachBlock(Stack):
    def through(self, x, mask):
        *earlier, last = self.blocks
        for block in earlier:
            x = self.norm(block(x, mask))
        return last(x, mask)


class ResidualTwice(Stack):
    def through(self, x, mask):
        for block in self.blocks:
            x = x + block(x, mask)
        return x


class AlwaysCausal(Stack):
    def through(self, x, mask):
        return super().through(x, combine_masks(mask, create_look_ahead_mask(x.shape[1])))


class EmbeddingDetached(Stack):
    def embed(self, tokens):
        return super().embed(tokens).detach()


class ScaledEmbedding(Stack):
    def embed(self, tokens):
        return self.positions(self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim))


class NoLastNorm(Stack):
    def forward(self, tokens, mask=None):
        return self.through(self.embed(tokens), mask)


class NormFirstOfAll(Stack):
    def forward(self, tokens, mask=None):
        return self.through(self.norm(self.embed(tokens)), mask)


class MaskInverted(Stack):
    def through(self, x, mask):
        return super().through(x, None if mask is None else ~mask)


class ForgetsMask(Stack):
    def through(self, x, mask):
        return super().through(x, None)


class MaskInFirstBlock(Stack):
    def through(self, x, mask):
        x = self.blocks[0](x, mask)
        for block in self.blocks[1:]:
            x = block(x)
        return x


class BlocksNotChained(Stack):
    def through(self, x, mask):
        return [block(x, mask) for block in self.blocks][-1]


class PostNormBlocks(Stack):
    def make_blocks(self, config):
        return nn.ModuleList([make_block(config, norm_first=False) for _ in range(config.num_layers)])


class OneBlockRepeated(Stack):
    def make_blocks(self, config):
        return nn.ModuleList([make_block(config)] * config.num_layers)


class PlainList(Stack):
    def make_blocks(self, config):
        return [make_block(config) for _ in range(config.num_layers)]


class OwnTable(Stack):
    """Positions as a second embedding, and torch's norm."""

    def __init__(self, config):
        super().__init__(config)
        self.positions = nn.Embedding(config.max_len, config.d_model)
        self.norm = nn.LayerNorm(config.d_model)

    def embed(self, tokens):
        return self.embedding(tokens) + self.positions(torch.arange(tokens.shape[1]))


class InSequence(Stack):
    """Blocks in an nn.Sequential, with the mask passed by hand; the embedding by indexing."""

    def make_blocks(self, config):
        return nn.Sequential(*(make_block(config) for _ in range(config.num_layers)))

    def embed(self, tokens):
        return self.embedding.weight[tokens] + self.positions.table[: tokens.shape[1]]

    def through(self, x, mask):
        for i in range(len(self.blocks)):
            x = self.blocks[i](x, mask=mask)
        return x


class WithDropout(Stack):
    """Dropout after the embedding, as the papers have it."""

    def __init__(self, config):
        super().__init__(config)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, tokens, mask=None):
        x = self.dropout(self.embed(tokens))
        for name in self.blocks._modules:
            x = self.blocks.get_submodule(name)(x, mask)
        return self.norm(x)


class BareTable(Stack):
    """Positions as a bare parameter; sequence by sequence."""

    def __init__(self, config):
        super().__init__(config)
        self.positions = nn.Parameter(torch.zeros(config.max_len, config.d_model))

    def embed(self, tokens):
        return torch.stack([self.embedding(row) + self.positions[: len(row)] for row in tokens])
