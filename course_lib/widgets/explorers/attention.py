"""Unit 01: queries and keys to edit and to turn, and the attention weights between them."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.plots import Picture, vectors_and_weights
from course_lib.widgets.explorers.base import Explorer
from course_lib.widgets.explorers.controls import Choice, Field, Slider
from course_lib.widgets.explorers.number_fields import read_rows
from course_lib.widgets.explorers.student_function import OwnFunction, tensor_of

MOST = 6


def explore_attention(attention: Callable) -> Explorer:
    """The weights that `attention(q, k, v, mask)` returns beside its output."""

    def own(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> object:
        return attention(q, k, v, mask)[1]

    def stand_in(
        q: Float[Tensor, "n_q d"], k: Float[Tensor, "n_k d"], v: Float[Tensor, "n_k n_k"], mask: Bool[Tensor, "n_k"]
    ) -> Float[Tensor, "n_q n_k"]:
        """Torch's attention on one-hot values: its output is the weights."""
        return F.scaled_dot_product_attention(q, k, v, attn_mask=~mask.expand(len(q), -1))

    weights = OwnFunction("scaled_dot_product_attention", own, stand_in)

    def draw(queries: str, keys: str, turn: int, length: float, blocked: int) -> Picture:
        q, k = read_rows("queries", queries, 2, MOST), read_rows("keys", keys, 2, MOST)
        q = length * torch.cat([_turned(q[:1], turn), q[1:]])
        mask = torch.arange(len(k)) == blocked
        if mask.all():
            mask = ~mask  # the only key there is
        attention_weights = weights(q, k, torch.eye(len(k)), mask, fits=tensor_of(len(q), len(k)))
        return vectors_and_weights(q, k, attention_weights, mask).sign(weights.line)

    return Explorer(
        draw,
        {
            "turn": Slider("turn query 0", 0, -180, 180, 5),
            "length": Slider("length of queries", 1.0, 0.0, 8.0, 0.25),
            "queries": Field("queries, by line", "2 0\n0 2\n-1 -1", rows=4),
            "keys": Field("keys, by line", "1 0.4\n0.5 1.2\n-1.2 0.5\n0.3 -1.5", rows=4),
            "blocked": Choice("blocked key", -1, range(-1, MOST), ["none", *(f"key {j}" for j in range(MOST))]),
        },
    )


def _turned(q: Float[Tensor, "1 2"], degrees: float | int) -> Float[Tensor, "1 2"]:
    angle = math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    return q @ torch.tensor([[cos, sin], [-sin, cos]])
