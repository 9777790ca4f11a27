"""Unit 06: a date written one character at a time, with the mask growing and cross-attention moving."""

from collections.abc import Callable
from functools import cache

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.plots import Picture, decoding_step
from course_lib.widgets.explorers.base import Explorer
from course_lib.widgets.explorers.controls import Choice, Slider
from course_lib.widgets.explorers.student_function import OwnFunction

# Each date with its ISO form and the indices where its year, its month and its day begin.
DATES = {
    "29 november 2001": ("2001-11-29", 12, 3, 0),
    "2001, november 29th": ("2001-11-29", 0, 6, 15),
    "3rd of march 1998": ("1998-03-03", 13, 7, 0),
    "thu 04/07/1985": ("1985-07-04", 10, 7, 4),
    "april 16, 2014": ("2014-04-16", 10, 0, 6),
}
LETTERS = 10


def explore_decoding(where_it_looks: Callable) -> Explorer:
    """`where_it_looks(written)` gives the characters that a model writes and its cross-attention (n_tgt, n_src)."""
    looks = OwnFunction("model", where_it_looks, by_hand)

    @cache
    def look(source: str) -> tuple[str, Tensor, str]:
        text, weights = looks(source, fits=lambda result: _problem(source, result))
        return text, weights.detach().float(), looks.line

    def draw(source: str, step: int) -> Picture:
        text, weights, line = look(source)
        return decoding_step(source, text, weights, min(step, len(text)) - 1).sign(line)

    return Explorer(
        draw,
        {"step": Slider("step", 6, 1, LETTERS), "source": Choice("the date it reads", next(iter(DATES)), [*DATES])},
    )


def by_hand(source: str) -> tuple[str, Float[Tensor, "n_tgt n_src"]]:
    """An alignment that a person would draw: year to year, month to month, day to day."""
    text, year, month, day = DATES[source]
    wanted = [year, year + 1, year + 2, year + 3, month, month, month + 1, month, day, day + 1]
    weights = torch.full((LETTERS, len(source)), 0.3 / len(source))
    weights[range(LETTERS), wanted] += 0.7
    return text, weights


def _problem(source: str, result: tuple[str, Tensor]) -> str | None:
    text, weights = result
    if not isinstance(text, str) or not text:
        return "it writes nothing"
    if tuple(weights.shape) != (len(text), len(source)):
        return f"its map has shape {tuple(weights.shape)}, expected {(len(text), len(source))}"
    return None
