"""Heat maps of attention weights: one row for each query, one column for each key."""

from collections.abc import Mapping, Sequence

from jaxtyping import Float
from matplotlib.axes import Axes
from torch import Tensor

from course_lib.plots.cell_numbers import number_cells
from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

MOST_NUMBERED = 12


@skipped_when_graded
def attention_maps(
    weights: Mapping[str, Float[Tensor, "n_q n_k"]],
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
) -> Picture:
    """The maps side by side on one scale from 0 to 1, each under its title."""
    alt = "Attention weights. " + " ".join(f"{title}: {_strongest(w)}." for title, w in weights.items())
    rows = max(len(w) for w in weights.values())
    columns = sum(w.shape[1] for w in weights.values())
    picture = Picture(1.2 + 0.55 * columns + 0.8 * len(weights), 1.2 + 0.5 * rows, alt)
    axes = picture.subplots(1, len(weights), squeeze=False)[0]
    for ax, (title, w) in zip(axes, weights.items(), strict=True):
        image = ax.imshow(w.detach().float().cpu().numpy(), cmap="cividis", vmin=0, vmax=1, aspect="equal")
        ax.set_title(title, fontsize=11)
        _label(ax, w, queries, keys)
        if max(w.shape) <= MOST_NUMBERED:
            number_cells(image, "{:.2f}".format)
    picture.colorbar(image, ax=list(axes), shrink=0.8, label="weight")
    return picture


def _label(ax: Axes, weights: Tensor, queries: Sequence[str] | None, keys: Sequence[str] | None) -> None:
    n_q, n_k = weights.shape
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    columns, rows = ([str(i) for i in range(count)] for count in (n_k, n_q))
    slanted = keys is not None and max(map(len, keys), default=0) > 1
    ax.set_xticks(range(n_k), keys or columns, rotation=45 if slanted else 0, ha="right" if slanted else "center")
    ax.set_yticks(range(n_q), queries or rows)


def _strongest(weights: Tensor) -> str:
    best = weights.argmax(-1).tolist()
    return ", ".join(f"query {i} looks most at key {j}" for i, j in enumerate(best))
