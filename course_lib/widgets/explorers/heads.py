"""Unit 04: what several heads look at, side by side, before anything is trained."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.plots import Picture, heads_compared
from course_lib.tasks.toy_words import FEATURES, embed
from course_lib.widgets.explorers.base import Explorer
from course_lib.widgets.explorers.controls import Choice, Slider, Steps
from course_lib.widgets.explorers.student_function import OwnFunction, tensor_of

WORDS = ("the", "small", "cat", "is", "asleep", ".")
WIDTH = 16


def explore_heads(multi_head_attention: Callable) -> Explorer:
    """The weights of each head of a new `multi_head_attention(d_model, num_heads)`, asked with (q, k, v)."""
    x = _sentence()

    def own(heads: int, sharpness: float, seed: int) -> object:
        torch.manual_seed(seed)
        module = multi_head_attention(WIDTH, heads)
        return module(sharpness * x, x, x)[1][0]

    def stand_in(heads: int, sharpness: float, seed: int) -> Float[Tensor, "heads n n"]:
        torch.manual_seed(seed)
        module = nn.MultiheadAttention(WIDTH, heads, batch_first=True)
        return module(sharpness * x, x, x, average_attn_weights=False)[1][0]

    weights = OwnFunction("MultiHeadAttention", own, stand_in)

    def draw(heads: int, sharpness: float, seed: int, query: int) -> Picture:
        maps = weights(heads, sharpness, seed, fits=tensor_of(heads, len(WORDS), len(WORDS)))
        return heads_compared(maps, WORDS, query).sign(weights.line)

    return Explorer(
        draw,
        {
            "heads": Steps("heads", 4, (1, 2, 4)),
            "sharpness": Slider("length of queries", 40.0, 0.0, 80.0, 2.0),
            "seed": Slider("random start", 0, 0, 20),
            "query": Choice("query", 2, range(len(WORDS)), WORDS),
        },
    )


def _sentence() -> Float[Tensor, "1 n width"]:
    """Each word as its meaning, then its place, then zeros."""
    meanings, places = embed(WORDS), torch.eye(len(WORDS))
    rest = torch.zeros(len(WORDS), WIDTH - len(FEATURES) - len(WORDS))
    return torch.cat([meanings, places, rest], -1)[None]
