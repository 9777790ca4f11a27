"""Encoder-only and decoder-only models with one mistake each, and in styles that are right."""

import torch
from torch import nn

from autograder.exams.unit_07.stack_mistakes import OwnTable, Stack
from course_lib.nn.masks import combine_masks, create_look_ahead_mask, create_padding_mask


class Model(nn.Module):
    """A stack and an output layer; who sees whom is for the families to say."""

    make_stack, finish, bias, tied = Stack, "", True, False

    def __init__(self, config):
        super().__init__()
        self.pad_id = config.pad_id
        self.stack = self.make_stack(config)
        self.output = nn.Linear(config.d_model, config.vocab, bias=self.bias)
        if self.tied:
            self.output.weight = self.stack.embedding.weight

    def forward(self, tokens):
        states = self.stack(tokens, self.mask(tokens))
        match self.finish:
            case "softmax":
                return self.output(states).softmax(-1)
            case "log":
                return self.output(states).log_softmax(-1)
            case "last":
                return self.output(states)[:, -1]
            case "mean":
                return self.output(states.mean(1))
        return self.output(states)


class Encoder(Model):
    def mask(self, tokens):
        return None if self.pad_id is None else create_padding_mask(tokens, self.pad_id)


class Decoder(Model):
    def mask(self, tokens):
        return create_look_ahead_mask(tokens.shape[1])


def encoder(**slip):
    return type("EncoderOnly", (Encoder,), slip)


def decoder(**slip):
    return type("DecoderOnly", (Decoder,), slip)


class Causal(Encoder):
    def mask(self, tokens):
        return combine_masks(super().mask(tokens), create_look_ahead_mask(tokens.shape[1]))


class ZeroIsFalse(Encoder):
    def mask(self, tokens):
        return create_padding_mask(tokens, self.pad_id) if self.pad_id else None


class PaddingOfTheFirst(Encoder):
    def mask(self, tokens):
        return None if self.pad_id is None else create_padding_mask(tokens, self.pad_id)[:1]


class SeesPadding(Encoder):
    def mask(self, tokens):
        return None


class SeesOnlyPadding(Encoder):
    def mask(self, tokens):
        return None if self.pad_id is None else ~create_padding_mask(tokens, self.pad_id)


class ZeroIsPadding(Encoder):
    def mask(self, tokens):
        return create_padding_mask(tokens, self.pad_id or 0)


class AlwaysZeroIsPadding(Encoder):
    def mask(self, tokens):
        return None if self.pad_id is None else create_padding_mask(tokens, 0)


class EncoderQueriesToo(Encoder):
    """Padding sees nothing but itself, which changes nothing for real tokens."""

    def mask(self, tokens):
        if self.pad_id is None:
            return None
        padding = tokens == self.pad_id
        return (padding[:, None, :] != padding[:, :, None])[:, None]


class EncoderByHand(Encoder):
    make_stack = OwnTable

    def mask(self, tokens):
        if self.pad_id is not None:
            return (tokens == self.pad_id).unsqueeze(1).unsqueeze(2)
        return None


class EncoderWithZeros(Encoder):
    """A mask always, of nothing if there is no padding."""

    def mask(self, tokens):
        blocked = torch.zeros_like(tokens, dtype=torch.bool) if self.pad_id is None else tokens == self.pad_id
        return blocked[:, None, None]


class EncoderExpanded(Encoder):
    """The mask for every query on its own; an id that no token has where there is no padding."""

    def mask(self, tokens):
        batch, n = tokens.shape
        return create_padding_mask(tokens, -1 if self.pad_id is None else self.pad_id).expand(batch, 1, n, n)


class SeesFuture(Decoder):
    def mask(self, tokens):
        return None


class BlindToItself(Decoder):
    def mask(self, tokens):
        n = tokens.shape[1]
        return torch.ones(n, n, dtype=torch.bool).triu()[None, None]


class SeesOnlyFuture(Decoder):
    def mask(self, tokens):
        return ~super().mask(tokens)


class Shifts(Decoder):
    def forward(self, tokens):
        return super().forward(torch.cat([torch.zeros_like(tokens[:, :1]), tokens[:, :-1]], 1))


class DecoderByTriu(Decoder):
    make_stack = OwnTable

    def mask(self, tokens):
        return torch.triu(torch.ones(tokens.size(1), tokens.size(1)), diagonal=1).bool()


class DecoderByPlaces(Decoder):
    def mask(self, tokens):
        places = torch.arange(tokens.shape[-1])
        return places > places.unsqueeze(-1)


class DecoderWithPadding(Decoder):
    """Padding ends a text, so that the look-ahead mask hides it already; to block it again does no harm."""

    def mask(self, tokens):
        padding = None if self.pad_id is None else create_padding_mask(tokens, self.pad_id)
        return combine_masks(super().mask(tokens), padding)
