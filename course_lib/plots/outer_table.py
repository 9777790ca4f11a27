"""Outer products as multiplication tables: rows from one vector, columns from the other."""

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.cell_numbers import number_cells
from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def outer_tables(a: Float[Tensor, "batch n"], b: Float[Tensor, "batch m"], c: Float[Tensor, "*shape"]) -> Picture:
    """The tables of a batch side by side; each cell shows its number, darker for smaller ones."""
    wanted = (*a.shape, b.shape[-1])
    if tuple(c.shape) != wanted:
        raise ValueError(
            f"the tables have shape {tuple(c.shape)}, expected {wanted}: one table for each row of a and b"
        )
    alt = "Multiplication tables. " + " ".join(_in_words(k, *row) for k, row in enumerate(zip(a, b, c, strict=True)))
    batch, n, m = wanted
    picture = Picture(batch * (1.0 + 0.62 * m), 1.3 + 0.45 * n, alt)
    axes = picture.subplots(1, batch, squeeze=False)[0]
    low, high = c.min().item(), c.max().item()
    for k, ax in enumerate(axes):
        image = ax.imshow(c[k].detach().float().cpu().numpy(), cmap="cividis", vmin=low, vmax=high, aspect="auto")
        ax.set_title(f"c[{k}]", fontsize=11)
        ax.set_xticks(range(m), [f"{number:g}" for number in b[k].tolist()])
        ax.set_yticks(range(n), [f"{number:g}" for number in a[k].tolist()])
        ax.set(xlabel=f"b[{k}]", ylabel=f"a[{k}]")
        number_cells(image, "{:g}".format, fontsize=10)
    return picture


def _in_words(k: int, a: Tensor, b: Tensor, c: Tensor) -> str:
    rows = "; ".join(", ".join(f"{number:g}" for number in row) for row in c.tolist())
    return f"Table {k}: rows {_list(a)}, columns {_list(b)}, entries {rows}."


def _list(numbers: Tensor) -> str:
    return ", ".join(f"{number:g}" for number in numbers.tolist())
