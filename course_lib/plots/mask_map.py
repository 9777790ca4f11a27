"""Masks as grids of open and blocked cells: one row for each query, one column for each key."""

from collections.abc import Mapping, Sequence

from jaxtyping import Bool
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from torch import Tensor

from course_lib.plots.picture import INK, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

OPEN, BLOCKED = "#ffffff", "#b9c6d3"
MOST_IN_A_ROW = 5


@skipped_when_graded
def mask_maps(
    masks: Mapping[str, Bool[Tensor, "*lead n_q n_k"]],
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
) -> Picture:
    """The masks side by side, with cells of one size; blocked ones are hatched.

    Of leading dimensions the first entry is drawn.
    """
    grids = {title: mask.reshape(-1, *mask.shape[-2:])[0] for title, mask in masks.items()}
    alt = "Masks. " + " ".join(f"{title}: {_in_words(grid)}" for title, grid in grids.items())
    columns = min(len(grids), MOST_IN_A_ROW)
    rows = -(-len(grids) // columns)
    rows_and_columns = [max(sizes) for sizes in zip(*(grid.shape for grid in grids.values()), strict=True)]
    cells = max(rows_and_columns)
    side = 1.3 + min(0.32 * cells, 3.2)
    picture = Picture(columns * side + 0.2, rows * (side + 0.35), alt)
    axes = picture.subplots(rows, columns, squeeze=False).flatten()
    for ax in axes[len(grids) :]:
        ax.set_axis_off()
    for ax, (title, grid) in zip(axes, grids.items(), strict=False):
        _settle(ax, grid, title, *rows_and_columns)
        _draw(ax, grid, queries, keys)  # moving a spine resets its ticks, so labels come last
    return picture


def _draw(ax: Axes, grid: Tensor, queries: Sequence[str] | None, keys: Sequence[str] | None) -> None:
    n_q, n_k = grid.shape
    ax.set(xlabel="key", ylabel="query")
    for i, row in enumerate(grid.tolist()):
        for j, blocked in enumerate(row):
            color, hatch = (BLOCKED, "////") if blocked else (OPEN, None)
            cell = (j - 0.5, i - 0.5)
            ax.add_patch(Rectangle(cell, 1, 1, facecolor=color, hatch=hatch, edgecolor="#8a99a8", linewidth=0.6))
            if not blocked and max(n_q, n_k) <= 16:
                ax.plot(j, i, "o", color=INK, markersize=3.5)
    step = 1 if max(n_q, n_k) <= 12 else 4
    named = keys is not None
    ax.set_xticks(range(0, n_k, step), _names(keys, n_k)[:n_k:step], rotation=45 if named else 0)
    ax.set_yticks(range(0, n_q, step), _names(queries, n_q)[:n_q:step])
    ax.tick_params(length=0, labelsize=8)


def _names(names: Sequence[str] | None, count: int) -> Sequence[str]:
    return names or [str(i) for i in range(count)]


def _settle(ax: Axes, grid: Tensor, title: str, rows: int, columns: int) -> None:
    """In the upper left corner of rows × columns cells, with title and labels close by."""
    n_q, n_k = grid.shape
    ax.set(xlim=(-0.55, columns - 0.45), ylim=(rows - 0.45, -0.55), aspect="equal")
    ax.spines[:].set_visible(False)
    ax.spines.bottom.set_position(("data", n_q - 0.45))
    ax.xaxis.label.set_x(n_k / columns / 2)
    ax.yaxis.label.set_y(1 - n_q / rows / 2)
    ax.set_title(title, fontsize=11, x=n_k / columns / 2)


def _in_words(grid: Tensor) -> str:
    seen = [[j for j, blocked in enumerate(row) if not blocked] for row in grid.tolist()]
    return " ".join(f"query {i} sees {_keys(keys)}." for i, keys in enumerate(seen))


def _keys(keys: list[int]) -> str:
    if not keys:
        return "no key"
    if len(keys) > 2 and keys == list(range(keys[0], keys[-1] + 1)):
        return f"keys {keys[0]} to {keys[-1]}"
    return ("key " if len(keys) == 1 else "keys ") + ", ".join(map(str, keys))
