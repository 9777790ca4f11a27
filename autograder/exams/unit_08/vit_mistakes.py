"""Vision Transformers with one mistake each, and a plain right one that they derive from."""

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.models.patches import PatchEmbedding
from course_lib.nn.blocks import EncoderBlock
from course_lib.nn.norm import LayerNorm


class Flawed(nn.Module):
    """A Vision Transformer; each mistake overrides one step of it."""

    norm_first = True

    def __init__(self, config):
        super().__init__()
        self.embedding = PatchEmbedding(config.patch, config.in_channels, config.d_model)
        self.class_token = nn.Parameter(torch.zeros(1, 1, config.d_model))
        self.positions = nn.Parameter(torch.randn(1, 1 + (config.image_size // config.patch) ** 2, config.d_model))
        self.blocks = nn.ModuleList(
            EncoderBlock(config.d_model, config.num_heads, config.d_ff, config.dropout, self.norm_first)
            for _ in range(config.num_layers)
        )
        self.norm = LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.num_classes)

    def forward(self, images):
        x = self.through(self.tokens(self.embedding(images), self.class_token.expand(len(images), 1, -1)))
        return self.read(x)

    def tokens(self, patches, token):
        return torch.cat([token, patches], 1) + self.positions

    def through(self, x):
        for block in self.blocks:
            x = block(x)
        return x

    def read(self, x):
        return self.head(self.norm(x)[:, 0])


class ReadsFirstPatch(Flawed):
    def read(self, x):
        return self.head(self.norm(x)[:, 1])


class NormEachBlock(Flawed):
    def through(self, x):
        for block in self.blocks:
            x = self.norm(block(x))
        return x

    def read(self, x):
        return self.head(x[:, 0])


class NormEachBlockAndAtTheEnd(NormEachBlock):
    def read(self, x):
        return self.head(self.norm(x)[:, 0])


class ResidualTwice(Flawed):
    def through(self, x):
        for block in self.blocks:
            x = x + block(x)
        return x


class PositionsMultiplied(Flawed):
    def tokens(self, patches, token):
        return torch.cat([token, patches], 1) * self.positions


class MasksTheFuture(Flawed):
    def through(self, x):
        n = x.shape[1]
        for block in self.blocks:
            x = block(x, torch.ones(n, n, dtype=torch.bool).triu(1))
        return x


class NoPositions(Flawed):
    def tokens(self, patches, token):
        return torch.cat([token, patches], 1)


class PositionsForPatchesOnly(Flawed):
    def tokens(self, patches, token):
        return torch.cat([token, patches + self.positions[:, 1:]], 1)


class TokenLast(Flawed):
    def tokens(self, patches, token):
        return torch.cat([patches, token], 1) + self.positions

    def read(self, x):
        return self.head(self.norm(x)[:, -1])


class TokenLastReadFirst(Flawed):
    def tokens(self, patches, token):
        return torch.cat([patches, token], 1) + self.positions


class MeanOfPatches(Flawed):
    def read(self, x):
        return self.head(self.norm(x)[:, 1:].mean(1))


class ReadsAll(Flawed):
    def read(self, x):
        return self.head(self.norm(x))


class NormBeforeBlocks(Flawed):
    def through(self, x):
        return super().through(self.norm(x))

    def read(self, x):
        return self.head(x[:, 0])


class PooledByTanh(Flawed):
    def read(self, x):
        return self.head(self.norm(x)[:, 0].tanh())


class LogProbabilities(Flawed):
    def read(self, x):
        return super().read(x).log_softmax(-1)


class FirstBlockOnly(Flawed):
    def through(self, x):
        return self.blocks[0](x)


class OneBlockRepeated(Flawed):
    def __init__(self, config):
        super().__init__(config)
        self.blocks = nn.ModuleList([self.blocks[0]] * config.num_layers)


class MeanOfTokens(Flawed):
    def read(self, x):
        return self.head(self.norm(x).mean(1))


class ReadsTheLast(Flawed):
    def read(self, x):
        return self.head(self.norm(x)[:, -1])


class NormalisesAfter(Flawed):
    norm_first = False


class NoLastNorm(Flawed):
    def read(self, x):
        return self.head(x[:, 0])


class Probabilities(Flawed):
    def read(self, x):
        return super().read(x).softmax(-1)


class BlocksSideBySide(Flawed):
    def through(self, x):
        for block in self.blocks:
            made = block(x)
        return made


class AlwaysDropout(Flawed):
    def __init__(self, config):
        super().__init__(config)
        self.rate = config.dropout

    def tokens(self, patches, token):
        return F.dropout(super().tokens(patches, token), self.rate)


class TokenNotTrained(Flawed):
    def __init__(self, config):
        super().__init__(config)
        del self.class_token
        self.class_token = torch.zeros(1, 1, config.d_model)


class TooFewPositions(Flawed):
    def __init__(self, config):
        super().__init__(config)
        self.positions = nn.Parameter(self.positions[:, 1:].detach().clone())


class PlainList(Flawed):
    def __init__(self, config):
        super().__init__(config)
        blocks = list(self.blocks)
        del self.blocks
        self.blocks = blocks
