"""Gray images in a row, each under its title."""

from collections.abc import Mapping

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.gray_image import show_gray
from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def image_row(images: Mapping[str, Float[Tensor, "height width"]]) -> Picture:
    """0 is white and 1 is black, as ink on paper."""
    sizes = [f"{title}: {image.shape[0]} × {image.shape[1]} pixels" for title, image in images.items()]
    picture = Picture(0.4 + 2.1 * len(images), 2.7, "Grey images in a row. " + "; ".join(sizes) + ".")
    axes = picture.subplots(1, len(images), squeeze=False)[0]
    for ax, (title, image) in zip(axes, images.items(), strict=True):
        show_gray(ax, image)
        ax.set_title(title, fontsize=10)
        ax.set_xlabel("column", fontsize=8)
        ax.tick_params(labelsize=7)
    axes[0].set_ylabel("row", fontsize=8)
    return picture
