"""Transformers in five styles, all of them right."""

import torch
import torch.nn.functional as F

from autograder.exams.unit_06.transformer_mistakes import Flawed
from course_lib.nn.masks import create_look_ahead_mask, create_padding_mask


class WithTheCoursesMasks(Flawed):
    """The masks of unit 05, made where they are needed; no helper for embedding."""

    def source_mask(self, src):
        return create_padding_mask(src, self.config.pad_id)

    def encode(self, src):
        x = self.positions(self.src_embedding(src) * self.config.d_model**0.5)
        for block in self.encoder:
            x = block(x, create_padding_mask(src, self.config.pad_id))
        return self.encoder_norm(x)

    def decode(self, tgt_in, memory, memory_mask=None):
        x = self.positions(self.tgt_embedding(tgt_in) * self.config.d_model**0.5)
        for block in self.decoder:
            x = block(x, memory, create_look_ahead_mask(tgt_in.shape[1]), memory_mask)
        return self.output(self.decoder_norm(x))


class PaddingOfTheTargetToo(Flawed):
    """Also blocks the padding of the target, which no real token could see anyway."""

    def decode(self, tgt_in, memory, memory_mask=None):
        blocked = self.look_ahead(tgt_in.shape[1]) | self.source_mask(tgt_in)
        x = self.embed(tgt_in, self.tgt_embedding)
        for layer in self.decoder:
            x = layer(x, memory, self_mask=blocked, memory_mask=memory_mask)
        return F.linear(self.decoder_norm(x), self.output.weight, self.output.bias)


class ByIndices(Flawed):
    """Masks by comparing places, embeddings by indexing, a flag in place of nn.Identity."""

    def embed(self, tokens, embedding):
        places = torch.arange(tokens.shape[1])
        return embedding.weight[tokens] * self.config.d_model**0.5 + self.positions.pe[0, places]

    def look_ahead(self, n):
        places = torch.arange(n)
        return (places[None, :] > places[:, None])[None, None]

    def finish(self, x):
        return self.output(self.decoder_norm(x) if self.config.norm_first else x)


class SmallSteps(Flawed):
    """encode and decode share one loop."""

    def encode(self, src):
        return self.encoder_norm(self._run(self.encoder, self.embed(src, self.src_embedding), self.source_mask(src)))

    def decode(self, tgt_in, memory, memory_mask=None):
        x = self.embed(tgt_in, self.tgt_embedding)
        return self.finish(self._run(self.decoder, x, memory, self.look_ahead(tgt_in.size(1)), memory_mask))

    @staticmethod
    def _run(blocks, x, *others):
        for block in blocks:
            x = block(x, *others)
        return x


class RowByRow(Flawed):
    """Each sequence on its own, and blocks called by their forward."""

    def encode(self, src):
        return torch.cat([self.encode_one(row[None]) for row in src])

    def encode_one(self, src):
        x, mask = self.embed(src, self.src_embedding), self.source_mask(src)
        for block in self.encoder:
            x = block.forward(x=x, mask=mask)
        return self.encoder_norm(x)
