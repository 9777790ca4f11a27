"""Attention over an image: which patches a token of a Vision Transformer looks at."""

from collections.abc import Sequence

from jaxtyping import Float
from matplotlib.patches import Rectangle
from torch import Tensor

from course_lib.plots.gray_image import show_gray
from course_lib.plots.picture import ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def image_attention(
    images: Float[Tensor, "batch height width"],
    weights: Float[Tensor, "batch rows columns"],
    titles: Sequence[str] | None = None,
) -> Picture:
    """Each image above its weights by patch; the patch with the largest weight is framed in both."""
    batch, rows, columns = weights.shape
    height, width = images.shape[1:]
    best = weights.flatten(1).argmax(-1).tolist()
    looks = [f"image {i} at row {b // columns}, column {b % columns}" for i, b in enumerate(best)]
    alt = "Attention over images, by patch. The largest weight lies in " + "; ".join(looks) + "."
    picture = Picture(1.5 * batch + 1.0, 3.5, alt)
    axes = picture.subplots(2, batch, squeeze=False)
    top = float(weights.max())
    for i in range(batch):
        upper, lower = axes[0, i], axes[1, i]
        show_gray(upper, images[i])
        extent = (-0.5, width - 0.5, height - 0.5, -0.5)
        heat = lower.imshow(weights[i].detach().float().cpu().numpy(), cmap="cividis", vmin=0, vmax=top, extent=extent)
        row, column = divmod(best[i], columns)
        corner = (column * width / columns - 0.5, row * height / rows - 0.5)
        for ax in (upper, lower):
            ax.add_patch(_frame(corner, width / columns, height / rows))
            ax.set_xticks([])
            ax.set_yticks([])
        upper.set_title(titles[i] if titles else f"image {i}", fontsize=10)
    axes[0, 0].set_ylabel("image")
    axes[1, 0].set_ylabel("attention")
    picture.colorbar(heat, ax=list(axes[1]), label="weight", shrink=0.9)
    return picture


def _frame(corner: tuple[float, float], width: float, height: float) -> Rectangle:
    return Rectangle(corner, width, height, fill=False, edgecolor=ORANGE, linewidth=2)
