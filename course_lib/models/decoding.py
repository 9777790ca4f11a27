"""Greedy decoding: write the likeliest token, read it back, and go on until the end token."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Int
from torch import Tensor


@runtime_checkable
class HasMode(Protocol):
    """Any nn.Module: in training mode or not."""

    training: bool

    def eval(self) -> object: ...
    def train(self, mode: bool = True) -> object: ...


@runtime_checkable
class EncoderDecoder(HasMode, Protocol):
    """A Transformer, or any other module that is used in the same way."""

    def encode(self, src: Tensor, /) -> Tensor: ...
    def source_mask(self, src: Tensor, /) -> Tensor: ...
    def decode(self, tgt_in: Tensor, memory: Tensor, memory_mask: Tensor, /) -> Tensor: ...


@torch.no_grad()
def greedy_decode(
    model: EncoderDecoder, src: Int[Tensor, "batch n_src"], sos_id: int, eos_id: int, max_len: int
) -> Int[Tensor, "batch n_out"]:
    """token_{t+1} = argmax of the logits at t: up to max_len tokens without SOS, each row up to its own EOS.

    Rows that are done repeat EOS until the last one is.
    """
    with evaluating(model):
        memory, memory_mask = model.encode(src), model.source_mask(src)
        return grow(lambda tokens: model.decode(tokens, memory, memory_mask)[:, -1], src, sos_id, eos_id, max_len)


def grow(
    next_logits: Callable[[Tensor], Tensor],
    src: Int[Tensor, "batch n_src"],
    sos_id: int,
    eos_id: int,
    max_len: int,
) -> Int[Tensor, "batch n_out"]:
    """Extend SOS by one token at a time: next_logits maps tokens so far to logits (batch, vocab)."""
    tokens = src.new_full((len(src), 1), sos_id)
    done = torch.zeros_like(tokens, dtype=torch.bool)
    for _ in range(max_len):
        best = next_logits(tokens).argmax(-1, keepdim=True).masked_fill(done, eos_id)
        tokens = torch.cat([tokens, best], 1)
        done = done | (best == eos_id)
        if done.all():
            break
    return tokens[:, 1:]


def keep_to_eos(tokens: Int[Tensor, "batch n"], eos_id: int, pad_id: int) -> Int[Tensor, "batch n"]:
    """Each row up to its own first EOS; what follows becomes padding, and a row without EOS stays whole."""
    is_end = tokens == eos_id
    ends_before = is_end.cumsum(1) - is_end.long()
    return tokens.masked_fill(ends_before > 0, pad_id)


@contextmanager
def evaluating(model: HasMode) -> Iterator[None]:
    """Dropout off inside, the model's own mode restored after."""
    training = model.training
    model.eval()
    try:
        yield
    finally:
        model.train(training)
