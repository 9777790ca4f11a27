"""Masks in a row, the one they make together, and the weights that are left under it."""

from collections.abc import Mapping

import torch
from jaxtyping import Bool, Float
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from torch import Tensor

from course_lib.plots.picture import INK, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

OPEN_OR_BLOCKED = ListedColormap(["#ffffff", "#9fb0c0"])
MOST_IN_A_ROW = 5


@skipped_when_graded
def masks_combined(
    masks: Mapping[str, Bool[Tensor, "n n"]],
    together: Bool[Tensor, "n n"],
    weights: Float[Tensor, "n n"],
) -> Picture:
    """A dot is an open cell, gray is blocked; in the last grid brighter means more weight, white means exactly 0."""
    panels = [*masks.items(), ("together", together)]
    open_cells = int((~together).sum())
    empty = [str(i) for i, row in enumerate(together.tolist()) if all(row)]
    alt = f"{', '.join(masks)}, and together: {open_cells} of {together.numel()} cells are open"
    alt += f"; queries {', '.join(empty)} see nothing." if empty else "."
    count = min(len(panels) + 1, MOST_IN_A_ROW)
    picture = Picture(2.25 * count + 0.4, 3.1, alt, "none")
    width, left = 0.9 / count, 0.055
    places = [(left + i * (width + 0.01), 0.2, width - 0.025, 0.64) for i in range(count)]
    for i, (place, (title, mask)) in enumerate(zip(places, panels, strict=False)):
        ax = picture.add_axes(place)
        ax.imshow(mask.cpu().numpy(), cmap=OPEN_OR_BLOCKED, vmin=0, vmax=1)
        rows, columns = (~mask).nonzero(as_tuple=True)
        ax.plot(columns.tolist(), rows.tolist(), "o", color=INK, markersize=3)
        _finish(ax, title, len(mask), first=i == 0)
    ax = picture.add_axes(places[-1])
    shown = torch.where(weights == 0, torch.nan, weights)
    ax.imshow(shown.cpu().numpy(), cmap="cividis", vmin=0, vmax=1)
    _finish(ax, "weights under it", len(weights), first=False)
    return picture


def _finish(ax: Axes, title: str, n: int, first: bool) -> None:
    ax.set_title(title, y=1.0, fontsize=10)
    ax.set_xlabel("key", fontsize=9)
    ax.set_ylabel("query" if first else "", fontsize=9)
    ax.set_xticks(range(0, n, 2))
    ax.set_yticks(range(0, n, 2), [str(i) if first else "" for i in range(0, n, 2)])
    ax.tick_params(labelsize=8, length=0)
    between = [line - 0.5 for line in range(1, n)]
    ax.hlines(between, -0.5, n - 0.5, color="#c8d0d8", linewidth=0.4)
    ax.vlines(between, -0.5, n - 0.5, color="#c8d0d8", linewidth=0.4)
