"""A Jacobian as a grid of signed numbers: how each output changes with each input."""

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.cell_numbers import number_cells
from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

MOST_NUMBERED = 8


@skipped_when_graded
def jacobian_map(title: str, jacobian: Float[Tensor, "n m"]) -> Picture:
    """Row i is output i, column j is input j; positive and negative entries differ in color and in sign."""
    n, m = jacobian.shape
    numbers = jacobian.detach().float().cpu()
    largest = float(numbers.abs().max()) or 1.0
    alt = f"{title}. " + " ".join(_in_words(i, row) for i, row in enumerate(numbers.tolist()))
    picture = Picture(1.9 + 0.75 * m, 1.3 + 0.6 * n, alt)
    ax = picture.subplots()
    image = ax.imshow(numbers.numpy(), cmap="PuOr_r", vmin=-largest, vmax=largest, aspect="equal")
    ax.set(title=title, xlabel="score j, which is raised a little", ylabel="output i")
    ax.set_xticks(range(m))
    ax.set_yticks(range(n))
    if max(n, m) <= MOST_NUMBERED:
        number_cells(image, _signed, fontsize=9)
    picture.colorbar(image, ax=ax, shrink=0.85, label="∂y_i/∂x_j")
    return picture


def _in_words(i: int, row: list[float]) -> str:
    return f"Output {i}: {', '.join(map(_signed, row))}."


def _signed(number: float) -> str:
    return f"{number:+.3f}".replace("-", "−")
