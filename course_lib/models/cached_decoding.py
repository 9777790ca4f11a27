"""Greedy decoding with a key/value cache: what earlier tokens gave is kept, not computed again."""

from typing import Protocol, cast, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from course_lib.models.decoding import evaluating, grow
from course_lib.models.transformer import Transformer
from course_lib.nn.blocks import DecoderBlock


@runtime_checkable
class AttentionInSteps(Protocol):
    """A MultiHeadAttention, or any other module that projects keys and values apart from attending to them."""

    def keys_and_values(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]: ...

    def attend(self, q: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]: ...


@torch.no_grad()
def cached_greedy_decode(
    model: Transformer, src: Int[Tensor, "batch n_src"], sos_id: int, eos_id: int, max_len: int
) -> Int[Tensor, "batch n_out"]:
    """The tokens of greedy_decode; a step passes one token through the decoder, however many came before."""
    with evaluating(model):
        memory, memory_mask = model.encode(src), model.source_mask(src)
        caches = [BlockCache(cast(DecoderBlock, block), memory, memory_mask) for block in model.decoder]

        def next_logits(tokens: Tensor) -> Tensor:
            x = model.embed(tokens[:, -1:], model.tgt_embedding, start=tokens.shape[1] - 1)
            for cache in caches:
                x = cache.step(x)
            return model.output(model.decoder_norm(x))[:, -1]

        return grow(next_logits, src, sos_id, eos_id, max_len)


def cached_attention(
    attention: AttentionInSteps, x: Float[Tensor, "batch 1 d_model"], kept: tuple[Tensor, Tensor] | None = None
) -> tuple[Float[Tensor, "batch 1 d_model"], tuple[Tensor, Tensor]]:
    """Self-attention of the newest token over all tokens so far: (output, the keys and values to keep).

    `kept` are the keys and values of the tokens before, each (B, heads, t, d_head), or None at the first token.
    """
    keys, values = attention.keys_and_values(x, x)
    if kept is not None:
        keys, values = torch.cat([kept[0], keys], 2), torch.cat([kept[1], values], 2)
    return attention.attend(x, keys, values)[0], (keys, values)


class BlockCache:
    """A decoder block that remembers its keys and values: of the memory once, of the target as it grows.

    No look-ahead mask is needed: the newest token may see all that is kept, and no later one exists yet.
    """

    def __init__(
        self,
        block: DecoderBlock,
        memory: Float[Tensor, "batch n_src d_model"],
        memory_mask: Bool[Tensor, "batch 1 1 n_src"],
    ):
        self.block = block
        self.memory = block.cross_attention.keys_and_values(memory, memory)
        self.memory_mask = memory_mask
        self.kept: tuple[Tensor, Tensor] | None = None

    def step(self, x: Float[Tensor, "batch 1 d_model"]) -> Float[Tensor, "batch 1 d_model"]:
        block = self.block
        x = block.residual(x, block.norm1, self._attend_to_kept)
        x = block.residual(x, block.norm2, lambda y: block.cross_attention.attend(y, *self.memory, self.memory_mask)[0])
        return block.residual(x, block.norm3, block.feed_forward)

    def _attend_to_kept(self, y: Tensor) -> Tensor:
        output, self.kept = cached_attention(self.block.self_attention, y, self.kept)
        return output
