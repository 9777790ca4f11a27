"""Unit 02: the dial of a softmax, the width of a head, and what they do to weights, entropy and slope."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.plots import Picture, softmax_dial
from course_lib.widgets.explorers.base import Explorer
from course_lib.widgets.explorers.controls import Steps, Switch
from course_lib.widgets.explorers.student_function import OwnFunction, tensor_of

BETAS = tuple(10 ** (step / 10) for step in range(-20, 21))
WIDTHS = (1, 4, 16, 64, 256)
KEYS = 6


def explore_softmax(softmax: Callable) -> Explorer:
    """The weights `softmax(beta * scores, dim)` of one random query over six random keys."""
    shares = OwnFunction("softmax", softmax, torch.softmax)
    entries = torch.randn(KEYS + 1, max(WIDTHS), generator=torch.Generator().manual_seed(11))

    def draw(beta: int, d_k: int, divided: bool) -> Picture:
        scores = _dot_products(entries[:, :d_k])
        scores = scores / d_k**0.5 if divided else scores
        weights = shares(torch.tensor(BETAS)[:, None] * scores, -1, fits=tensor_of(len(BETAS), KEYS))
        return softmax_dial(BETAS, weights, beta).sign(shares.line)

    return Explorer(
        draw,
        {
            "beta": Steps("β", BETAS.index(1.0), range(len(BETAS)), [f"{beta:.2g}" for beta in BETAS]),
            "d_k": Steps("d_k", 16, WIDTHS),
            "divided": Switch("divide the scores by √d_k", True),
        },
    )


def _dot_products(entries: Float[Tensor, "rows d_k"]) -> Float[Tensor, "keys"]:
    """The first row is the query."""
    return entries[1:] @ entries[0]
