"""Transformers with one mistake each, and a plain right one that they derive from."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_lib.nn.blocks import DecoderBlock, EncoderBlock
from course_lib.nn.norm import LayerNorm
from course_lib.nn.positions import PositionalEncoding


class Flawed(nn.Module):
    """A Transformer; each mistake overrides one step of it."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        sizes = (config.d_model, config.num_heads, config.d_ff, config.dropout, config.norm_first)
        self.src_embedding = nn.Embedding(config.src_vocab, config.d_model)
        self.tgt_embedding = nn.Embedding(config.tgt_vocab, config.d_model)
        self.positions = PositionalEncoding(config.d_model, config.max_len)
        self.encoder = nn.ModuleList(EncoderBlock(*sizes) for _ in range(config.num_layers))
        self.decoder = nn.ModuleList(DecoderBlock(*sizes) for _ in range(config.num_layers))
        self.encoder_norm = LayerNorm(config.d_model) if config.norm_first else nn.Identity()
        self.decoder_norm = LayerNorm(config.d_model) if config.norm_first else nn.Identity()
        self.output = nn.Linear(config.d_model, config.tgt_vocab)

    def forward(self, src, tgt_in):
        return self.decode(tgt_in, self.encode(src), self.source_mask(src))

    def source_mask(self, src):
        return (src == self.config.pad_id)[:, None, None, :]

    def encoder_mask(self, src):
        return self.source_mask(src)

    def look_ahead(self, n):
        return torch.ones(n, n, dtype=torch.bool).triu(1)

    def embed(self, tokens, embedding):
        return self.positions(embedding(tokens) * math.sqrt(self.config.d_model))

    def encode(self, src):
        x = self.embed(src, self.src_embedding)
        for block in self.encoder:
            x = block(x, self.encoder_mask(src))
        return self.encoder_norm(x)

    def decode(self, tgt_in, memory, memory_mask=None):
        x = self.embed(tgt_in, self.tgt_embedding)
        for block in self.decoder:
            x = block(x, memory, self.look_ahead(tgt_in.shape[1]), memory_mask)
        return self.finish(x)

    def finish(self, x):
        return self.output(self.decoder_norm(x))


class NoScale(Flawed):
    def embed(self, tokens, embedding):
        return self.positions(embedding(tokens))


class ScaledPositions(Flawed):
    def embed(self, tokens, embedding):
        return self.positions(embedding(tokens)) * math.sqrt(self.config.d_model)


class DividedByRoot(Flawed):
    def embed(self, tokens, embedding):
        return self.positions(embedding(tokens) / math.sqrt(self.config.d_model))


class EmbeddingTwice(Flawed):
    def embed(self, tokens, embedding):
        return embedding(tokens) * math.sqrt(self.config.d_model) + super().embed(tokens, embedding)


class FirstEncoderBlockOnly(Flawed):
    def encode(self, src):
        x = self.encoder[0](self.embed(src, self.src_embedding), self.encoder_mask(src))
        return self.encoder_norm(x)


class FirstDecoderBlockOnly(Flawed):
    def decode(self, tgt_in, memory, memory_mask=None):
        x = self.embed(tgt_in, self.tgt_embedding)
        return self.finish(self.decoder[0](x, memory, self.look_ahead(tgt_in.shape[1]), memory_mask))


class EncoderBackwards(Flawed):
    def encode(self, src):
        x = self.embed(src, self.src_embedding)
        for block in reversed(self.encoder):
            x = block(x, self.encoder_mask(src))
        return self.encoder_norm(x)


class EncoderNormInTheLoop(Flawed):
    def encode(self, src):
        x = self.embed(src, self.src_embedding)
        for block in self.encoder:
            x = self.encoder_norm(block(x, self.encoder_mask(src)))
        return x


class MemoryReplaced(Flawed):
    def decode(self, tgt_in, memory, memory_mask=None):
        x = self.embed(tgt_in, self.tgt_embedding)
        for block in self.decoder:
            x = memory = block(x, memory, self.look_ahead(tgt_in.shape[1]), memory_mask)
            memory_mask = None if memory_mask is None or memory_mask.shape[-1] != x.shape[1] else memory_mask
        return self.finish(x)


class MemoryNotEncoded(Flawed):
    def forward(self, src, tgt_in):
        return self.decode(tgt_in, self.embed(src, self.src_embedding), self.source_mask(src))


class LookAheadInverted(Flawed):
    def look_ahead(self, n):
        return ~super().look_ahead(n)


class NoPositions(Flawed):
    def embed(self, tokens, embedding):
        return embedding(tokens) * math.sqrt(self.config.d_model)


class SeesTheFuture(Flawed):
    def look_ahead(self, n):
        return None


class BlocksItself(Flawed):
    def look_ahead(self, n):
        return torch.ones(n, n, dtype=torch.bool).triu(0)


class ReadsPadding(Flawed):
    def encoder_mask(self, src):
        return None


class DecoderReadsPadding(Flawed):
    def forward(self, src, tgt_in):
        return self.decode(tgt_in, self.encode(src))


class EncoderLooksBackOnly(Flawed):
    def encoder_mask(self, src):
        return self.source_mask(src) | self.look_ahead(src.shape[1])


class LastBlockOnly(Flawed):
    def encode(self, src):
        x = self.embed(src, self.src_embedding)
        return self.encoder_norm(self.encoder[-1](x, self.encoder_mask(src)))


class OneEmbedding(Flawed):
    def decode(self, tgt_in, memory, memory_mask=None):
        x = self.embed(tgt_in, self.src_embedding)
        for block in self.decoder:
            x = block(x, memory, self.look_ahead(tgt_in.shape[1]), memory_mask)
        return self.finish(x)


class EncoderBlocksSideBySide(Flawed):
    def encode(self, src):
        x = self.embed(src, self.src_embedding)
        return self.encoder_norm([block(x, self.encoder_mask(src)) for block in self.encoder][-1])


class DecoderBlocksSideBySide(Flawed):
    def decode(self, tgt_in, memory, memory_mask=None):
        x = self.embed(tgt_in, self.tgt_embedding)
        mask = self.look_ahead(tgt_in.shape[1])
        return self.finish([block(x, memory, mask, memory_mask) for block in self.decoder][-1])


class DecodeDropsMask(Flawed):
    def decode(self, tgt_in, memory, memory_mask=None):
        return super().decode(tgt_in, memory)


class NoEncoderNorm(Flawed):
    def encode(self, src):
        x = self.embed(src, self.src_embedding)
        for block in self.encoder:
            x = block(x, self.encoder_mask(src))
        return x


class NoDecoderNorm(Flawed):
    def finish(self, x):
        return self.output(x)


class AlwaysDropout(Flawed):
    def embed(self, tokens, embedding):
        return F.dropout(super().embed(tokens, embedding), self.config.dropout)


class TiedWeights(Flawed):
    def __init__(self, config):
        super().__init__(config)
        self.output.weight = self.tgt_embedding.weight


class LogProbabilities(Flawed):
    def finish(self, x):
        return super().finish(x).log_softmax(-1)


class SourceMaskInverted(Flawed):
    def source_mask(self, src):
        return ~super().source_mask(src)


class PaddingIsZero(Flawed):
    def source_mask(self, src):
        return (src == 0)[:, None, None, :]


class Probabilities(Flawed):
    def finish(self, x):
        return super().finish(x).softmax(-1)


class MaskOfTwoDimensions(Flawed):
    def source_mask(self, src):
        return super().source_mask(src)[:, 0, 0]

    def encoder_mask(self, src):
        return super().source_mask(src)

    def forward(self, src, tgt_in):
        return self.decode(tgt_in, self.encode(src), self.encoder_mask(src))
