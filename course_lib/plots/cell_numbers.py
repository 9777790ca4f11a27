"""Numbers on the cells of a heat map, each black or white, whichever is readable on its cell."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float
from matplotlib.image import AxesImage

BLACK_READS_BETTER_FROM = 0.179  # luminance at which black and white have the same contrast, 4.6 to 1


def number_cells(image: AxesImage, written: Callable[[float], str], fontsize: int = 8) -> None:
    """Write each number of the map into the middle of its cell; what is not a number has a white cell."""
    shown = image.get_array()
    if shown is None:
        raise ValueError("expected an image of numbers, got one without any")
    numbers, colors = np.ma.getdata(shown), image.to_rgba(shown)
    dark = _luminance(1 - colors[..., 3:] * (1 - colors[..., :3])) < BLACK_READS_BETTER_FROM
    rows, columns = numbers.shape
    left, right, bottom, top = image.get_extent()
    for i, j in np.ndindex(rows, columns):
        x, y = left + (right - left) * (j + 0.5) / columns, top + (bottom - top) * (i + 0.5) / rows
        color = "white" if dark[i, j] else "black"
        image.axes.text(x, y, written(float(numbers[i, j])), ha="center", va="center", fontsize=fontsize, color=color)


def _luminance(colors: Float[np.ndarray, "*shape 3"]) -> Float[np.ndarray, "*shape"]:
    """Relative luminance of sRGB colors, 0 to 1, as defined by WCAG for the contrast of text."""
    linear = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    return linear @ (0.2126, 0.7152, 0.0722)
