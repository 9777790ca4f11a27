"""Small models for the exams of unit 07: every size is distinct, and few enough numbers for a visible check."""

import torch
from torch import Tensor

from autograder.exam_types.draw import Arguments, Draw
from course_lib.checks.answer_forms.configs import config_data
from course_lib.models.configs import LanguageModelConfig

BATCH = 2


def small_config(draw: Draw, pad_id: int | None = None) -> tuple[LanguageModelConfig, int]:
    """A model of width 6, and a length of sequences that is below its largest."""
    heads, vocab = (2, 3)[draw.sizes(1)[0] % 2], 9 + draw.sizes(1)[0] % 3
    return LanguageModelConfig(vocab, 6, heads, 7, 2, 8, pad_id=pad_id), 5


def draw_tokens(draw: Draw, rows: int, n: int, vocab: int, first: int = 0) -> Tensor:
    """Tokens from `first` on, evenly."""
    shares = torch.tensor([draw.uniform(0, 0.999) for _ in range(rows * n)])
    return (first + shares * (vocab - first)).long().clamp(max=vocab - 1).view(rows, n)


def tokens_alone(draw: Draw) -> tuple[Arguments, Arguments]:
    """Among the tokens is id 0, an ordinary one in a text without padding."""
    config, n = small_config(draw)
    tokens = draw_tokens(draw, BATCH, n, config.vocab)
    tokens[:, 2] = 0
    return [config_data(config)], [tokens]


def tokens_and_padding(draw: Draw, pad_id: int = 1) -> tuple[Arguments, Arguments]:
    """One text is shorter than the other and filled up with padding; the other one of 0 and 1 is a token."""
    config, n = small_config(draw, pad_id)
    tokens = draw_tokens(draw, BATCH, n, config.vocab, first=2)
    tokens[:, 1] = 1 - pad_id
    tokens[1, 3:] = pad_id
    return [config_data(config)], [tokens]


def longest(draw: Draw) -> tuple[Arguments, Arguments]:
    """Sequences of max_len tokens, and another number of them."""
    config, _ = small_config(draw)
    return [config_data(config)], [draw_tokens(draw, 3, config.max_len, config.vocab)]
