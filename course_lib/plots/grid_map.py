"""Numbers on grids of patches, of any sizes, as heat maps on one scale."""

from collections.abc import Mapping

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def grid_maps(title: str, grids: Mapping[str, Float[Tensor, "rows columns"]], label: str = "value") -> Picture:
    """Each grid under its own heading, a cell for each patch."""
    low = min(float(grid.min()) for grid in grids.values())
    high = max(float(grid.max()) for grid in grids.values())
    in_words = [f"{heading}: {grid.shape[0]} × {grid.shape[1]} patches" for heading, grid in grids.items()]
    alt = f"{title}. " + "; ".join(in_words) + f". Values from {low:.2g} to {high:.2g}."
    picture = Picture(1.2 + 2.3 * len(grids), 3.1, alt)
    axes = picture.subplots(1, len(grids), squeeze=False)[0]
    for ax, (heading, grid) in zip(axes, grids.items(), strict=True):
        heat = ax.imshow(grid.detach().float().cpu().numpy(), cmap="cividis", vmin=low, vmax=high)
        ax.set_title(heading, fontsize=10)
        ax.set_xlabel("column of patches", fontsize=9)
        ax.set_xticks(range(grid.shape[1]))
        ax.set_yticks(range(grid.shape[0]))
        ax.tick_params(labelsize=8)
    axes[0].set_ylabel("row of patches", fontsize=9)
    picture.colorbar(heat, ax=list(axes), label=label, shrink=0.8)
    picture.suptitle(title, fontsize=12)
    return picture
