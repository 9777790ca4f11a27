"""Where one token of a Vision Transformer looks: its weights laid over the image it reads."""

from jaxtyping import Float
from matplotlib.patches import Rectangle
from torch import Tensor

from course_lib.plots.cell_numbers import number_cells
from course_lib.plots.gray_image import show_gray
from course_lib.plots.picture import ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def patch_attention(
    image: Float[Tensor, "height width"], weights: Float[Tensor, "rows columns"], title: str, asks: int | None = None
) -> Picture:
    """The image, the weights of each patch, and both together; `asks` is the patch that looks, framed."""
    rows, columns = weights.shape
    height, width = image.shape
    best = int(weights.argmax())
    alt = (
        f"{title}: most weight, {float(weights.max()):.2f}, lies on the patch in row {best // columns}, "
        f"column {best % columns}; all patches together have {float(weights.sum()):.2f}."
    )
    picture = Picture(7.6, 3.3, alt, "none")
    extent = (-0.5, width - 0.5, height - 0.5, -0.5)
    top = float(weights.max()) or 1.0
    for i, heading in enumerate(("the image", "weights by patch", "both")):
        ax = picture.add_axes((0.02 + 0.32 * i, 0.14, 0.3, 0.68))
        if i != 1:
            show_gray(ax, image)
        if i != 0:
            alpha = 1.0 if i == 1 else 0.55
            laid = ax.imshow(weights.cpu().numpy(), cmap="cividis", vmin=0, vmax=top, extent=extent, alpha=alpha)
        if i == 1:
            number_cells(laid, "{:.2f}".format)
        if asks is not None:
            size = (width / columns, height / rows)
            corner = (asks % columns * size[0] - 0.5, asks // columns * size[1] - 0.5)
            ax.add_patch(Rectangle(corner, *size, fill=False, edgecolor=ORANGE, linewidth=2.4))
        ax.set_title(heading, y=1.0, fontsize=10)
        ax.set_xticks([])
        ax.set_yticks([])
    picture.text(0.5, 0.93, title, ha="center", fontsize=11)
    return picture
