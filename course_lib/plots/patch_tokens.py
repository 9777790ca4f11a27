"""An image cut into patches, beside the tokens that the patches became."""

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.gray_image import show_gray
from course_lib.plots.picture import ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def patch_tokens(image: Float[Tensor, "height width"], tokens: Float[Tensor, "n size"], patch: int) -> Picture:
    """The image with its patches numbered row by row, and each token as one row of gray cells."""
    height, width = image.shape
    rows, columns = height // patch, width // patch
    alt = (
        f"Left: an image of {height} × {width} pixels, cut into {rows} × {columns} patches, numbered row by row. "
        f"Right: {tokens.shape[0]} tokens of {tokens.shape[1]} numbers, one row for each patch."
    )
    picture = Picture(7.2, 3.9, alt)
    left, right = picture.subplots(1, 2, width_ratios=(1.5, 1))
    show_gray(left, image)
    for line in range(1, rows):
        left.axhline(line * patch - 0.5, color=ORANGE, linewidth=1.5)
    for line in range(1, columns):
        left.axvline(line * patch - 0.5, color=ORANGE, linewidth=1.5)
    for place in range(rows * columns):
        top, side = place // columns * patch, place % columns * patch
        left.text(side - 0.35, top - 0.35, str(place), color=ORANGE, fontsize=9, va="top", fontweight="bold")
    left.set(title="the image, cut", xlabel="column of pixels", ylabel="row of pixels")
    right.imshow(
        tokens.detach().float().cpu().numpy(), cmap="gray_r", vmin=0, vmax=1, aspect="auto", interpolation="nearest"
    )
    right.set_yticks(range(tokens.shape[0]))
    right.set_xticks(range(tokens.shape[1]))
    right.tick_params(labelsize=8)
    right.set(title="the tokens", xlabel="number in the token", ylabel="token")
    return picture
