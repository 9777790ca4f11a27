"""Unit 03: a table of positions by length, width and base, and how alike its rows are."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.plots import Picture, positions_view
from course_lib.widgets.explorers.base import Explorer
from course_lib.widgets.explorers.controls import Slider, Steps
from course_lib.widgets.explorers.student_function import OwnFunction, tensor_of

# The first d columns of a table m times as wide as d are those of a table for the base 10000^(1/m).
BASES = {1: "10 000", 2: "100", 3: "21.5", 4: "10", 6: "4.6"}


def explore_positions(encoding: Callable) -> Explorer:
    """The table that `encoding(max_len, d_model)` returns; smaller bases are cut from a wider table."""
    table = OwnFunction("sinusoidal_encoding", encoding, binary_clocks)

    def draw(length: int, width: int, times: int, position: int) -> Picture:
        rows = table(length, width * times, fits=tensor_of(length, width * times))
        title = f"{length} positions, {width} features, base {BASES[times]}"
        return positions_view(title, rows[:, :width].float(), min(position, length - 1)).sign(table.line)

    return Explorer(
        draw,
        {
            "length": Slider("length", 64, 4, 160, 4),
            "width": Slider("d_model", 32, 2, 64, 2),
            "times": Steps("base", 1, list(BASES), list(BASES.values())),
            "position": Slider("position", 10, 0, 159),
        },
    )


def binary_clocks(max_len: int, d_model: int) -> Float[Tensor, "{max_len} {d_model}"]:
    """Positions in binary digits, as −1 and 1: another row of clocks, each slower than the one before."""
    periods = 2 ** (1 + torch.arange(d_model) * 8 / d_model)
    ticks = torch.arange(max_len)[:, None] / (periods / 2)
    return 1.0 - 2 * (ticks.floor() % 2)
