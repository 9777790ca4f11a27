"""A table of positions as a heat map, beside the dot product of one position with all others."""

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.picture import BLUE, ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def positions_view(title: str, table: Float[Tensor, "n d_model"], position: int) -> Picture:
    """The row of `position` is marked in the map; on the right are its dot products with every row."""
    n, width = table.shape
    likeness = table @ table[position]
    near = likeness.clone()
    near[position] = -float("inf")
    alt = (
        f"{title}: {n} positions, {width} features. Position {position} has dot product {float(likeness[position]):.2f}"
        f" with itself, and its next best is {float(near.max()):.2f}, with position {int(near.argmax())}."
    )
    picture = Picture(7.6, 3.8, alt, "none")
    heat, beside = picture.add_axes((0.075, 0.2, 0.44, 0.69)), picture.add_axes((0.62, 0.2, 0.35, 0.69))
    heat.imshow(table.cpu().numpy(), cmap="cividis", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    heat.axhline(position, color=ORANGE, linewidth=1.6)
    heat.set(xlabel="feature", ylabel="position")
    heat.set_title(title, y=1.0, fontsize=10.5)
    beside.plot(range(n), likeness.tolist(), color=BLUE, linewidth=1.6)
    beside.plot([position], [float(likeness[position])], "o", color=ORANGE)
    beside.set(xlabel="position p", ylabel=f"PE[{position}] · PE[p]")
    beside.set_title(f"how alike position {position} is to others", y=1.0, fontsize=10.5)
    beside.grid(alpha=0.25)
    beside.spines[["top", "right"]].set_visible(False)
    for ax in (heat, beside):
        ax.tick_params(labelsize=8)
    return picture
