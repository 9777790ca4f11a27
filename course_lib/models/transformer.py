"""The encoder–decoder Transformer of "Attention Is All You Need" (Vaswani et al., 2017, arXiv:1706.03762)."""

import math

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.models.configs import TransformerConfig
from course_lib.nn.blocks import DecoderBlock, EncoderBlock
from course_lib.nn.masks import create_look_ahead_mask, create_padding_mask
from course_lib.nn.norm import LayerNorm
from course_lib.nn.positions import PositionalEncoding


class Transformer(nn.Module):
    """logits = decode(target so far, encode(source)): the source is read once, the target grows."""

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        block = (config.d_model, config.num_heads, config.d_ff, config.dropout, config.norm_first)
        self.src_embedding = nn.Embedding(config.src_vocab, config.d_model)
        self.tgt_embedding = nn.Embedding(config.tgt_vocab, config.d_model)
        self.positions = PositionalEncoding(config.d_model, config.max_len)
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = nn.ModuleList(EncoderBlock(*block) for _ in range(config.num_layers))
        self.decoder = nn.ModuleList(DecoderBlock(*block) for _ in range(config.num_layers))
        # With norm_first the last sum of a stack is not normalized by any block.
        self.encoder_norm = LayerNorm(config.d_model) if config.norm_first else nn.Identity()
        self.decoder_norm = LayerNorm(config.d_model) if config.norm_first else nn.Identity()
        self.output = nn.Linear(config.d_model, config.tgt_vocab)
        for embedding in (self.src_embedding, self.tgt_embedding):
            nn.init.normal_(embedding.weight, std=config.d_model**-0.5)  # embed() multiplies by √d_model

    def forward(
        self, src: Int[Tensor, "batch n_src"], tgt_in: Int[Tensor, "batch n_tgt"]
    ) -> Float[Tensor, "batch n_tgt tgt_vocab"]:
        return self.decode(tgt_in, self.encode(src), self.source_mask(src))

    def source_mask(self, src: Int[Tensor, "batch n_src"]) -> Bool[Tensor, "batch 1 1 n_src"]:
        """Blocks the padding of the source, for the encoder and for cross-attention alike."""
        return create_padding_mask(src, self.config.pad_id)

    def encode(self, src: Int[Tensor, "batch n_src"]) -> Float[Tensor, "batch n_src d_model"]:
        """The memory: every source token, encoded with all the others in one parallel pass."""
        x, mask = self.embed(src, self.src_embedding), self.source_mask(src)
        for block in self.encoder:
            x = block(x, mask)
        return self.encoder_norm(x)

    def decode(
        self,
        tgt_in: Int[Tensor, "batch n_tgt"],
        memory: Float[Tensor, "batch n_src d_model"],
        memory_mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "batch n_tgt tgt_vocab"]:
        """The logits of the token after each position of tgt_in, from that position and those before it."""
        # Padding ends a target, so the look-ahead mask already hides it from every real token.
        self_mask = create_look_ahead_mask(tgt_in.shape[1], tgt_in.device)
        x = self.embed(tgt_in, self.tgt_embedding)
        for block in self.decoder:
            x = block(x, memory, self_mask, memory_mask)
        return self.output(self.decoder_norm(x))

    def embed(
        self, tokens: Int[Tensor, "batch n"], embedding: nn.Embedding, start: int = 0
    ) -> Float[Tensor, "batch n d_model"]:
        """dropout(embedding · √d_model + positions); the first token stands at position `start`."""
        return self.dropout(self.positions(embedding(tokens) * math.sqrt(self.config.d_model), start))
