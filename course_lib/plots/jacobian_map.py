"""A Jacobian as a grid of signed numbers: how each output answers to each input."""

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.picture import INK, Picture

MOST_LABELLED = 8


def jacobian_map(title: str, jacobian: Float[Tensor, "n m"]) -> Picture:
    """Row i is output i, column j is input j; what rises and what falls differ in colour and in sign."""
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
    if max(n, m) <= MOST_LABELLED:
        for i, row in enumerate(numbers.tolist()):
            for j, number in enumerate(row):
                color = "white" if abs(number) > 0.7 * largest else INK
                ax.text(j, i, _signed(number), ha="center", va="center", fontsize=9, color=color)
    picture.colorbar(image, ax=ax, shrink=0.85, label="∂y_i/∂x_j")
    return picture


def _in_words(i: int, row: list[float]) -> str:
    return f"Output {i}: {', '.join(map(_signed, row))}."


def _signed(number: float) -> str:
    return f"{number:+.3f}".replace("-", "−")
