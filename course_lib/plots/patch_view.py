"""One patch of an image: where it lies, what it looks like, and the row of numbers that it became."""

from jaxtyping import Float
from matplotlib.patches import Rectangle
from torch import Tensor

from course_lib.plots.gray_image import show_gray
from course_lib.plots.picture import ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def patch_view(image: Float[Tensor, "height width"], token: Float[Tensor, "size"], patch: int, place: int) -> Picture:
    """The image with its patches and the chosen one framed; the token laid out as a square, and as the row it is."""
    height, width = image.shape
    columns = width // patch
    row, column = divmod(place, columns)
    alt = (
        f"An image of {height} × {width} pixels in {height // patch} × {columns} patches of {patch} × {patch}; "
        f"patch {place}, in row {row} and column {column}, is a token of {len(token)} numbers."
    )
    picture = Picture(7.4, 3.7, alt, "none")
    whole, square = picture.add_axes((0.03, 0.13, 0.36, 0.73)), picture.add_axes((0.46, 0.4, 0.2, 0.42))
    line = picture.add_axes((0.46, 0.17, 0.5, 0.09))
    show_gray(whole, image)
    for cut in range(1, height // patch):
        whole.axhline(cut * patch - 0.5, color="#8a99a8", linewidth=0.8)
    for cut in range(1, columns):
        whole.axvline(cut * patch - 0.5, color="#8a99a8", linewidth=0.8)
    corner = (column * patch - 0.5, row * patch - 0.5)
    whole.add_patch(Rectangle(corner, patch, patch, fill=False, edgecolor=ORANGE, linewidth=2.6))
    show_gray(square, token.reshape(patch, patch))
    show_gray(line, token.reshape(1, -1), "auto")
    whole.set_title(f"{height // patch} × {columns} patches, number {place} framed", y=1.0, fontsize=10)
    square.set_title("the token as a square", y=1.0, fontsize=10)
    line.set_title(f"the token as a row of {len(token)}", y=1.0, fontsize=10)
    for ax in (whole, square, line):
        ax.set_xticks([])
        ax.set_yticks([])
    picture.text(0.69, 0.6, f"{height // patch * columns} tokens\nof {len(token)} numbers", fontsize=12, va="center")
    return picture
