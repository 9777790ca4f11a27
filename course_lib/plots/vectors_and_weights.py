"""Queries and keys as arrows in the plane, beside the attention weights between them."""

from jaxtyping import Bool, Float
from matplotlib.axes import Axes
from torch import Tensor

from course_lib.plots.cell_numbers import number_cells
from course_lib.plots.picture import BLUE, ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def vectors_and_weights(
    queries: Float[Tensor, "n_q 2"],
    keys: Float[Tensor, "n_k 2"],
    weights: Float[Tensor, "n_q n_k"],
    blocked: Bool[Tensor, "n_k"],
) -> Picture:
    """Arrows on the left, solid for queries and dashed for keys; the map of weights on the right."""
    looks = [f"query {i} gives key {int(row.argmax())} {float(row.max()):.2f}" for i, row in enumerate(weights)]
    hidden = [f"key {j} is blocked" for j in blocked.nonzero().flatten().tolist()]
    picture = Picture(7.4, 3.7, "Queries and keys, and their weights: " + "; ".join([*looks, *hidden]) + ".", "none")
    plane, grid = picture.add_axes((0.08, 0.2, 0.39, 0.68)), picture.add_axes((0.57, 0.2, 0.36, 0.68))
    _draw_plane(plane, queries, keys, blocked)
    n_q, n_k = weights.shape
    image = grid.imshow(weights.cpu().numpy(), cmap="cividis", vmin=0, vmax=1, aspect="auto")
    number_cells(image, "{:.2f}".format, fontsize=10)
    grid.set_xticks(range(n_k), [f"k{j}" + " ✗" * bool(blocked[j]) for j in range(n_k)])
    grid.set_yticks(range(n_q), [f"q{i}" for i in range(n_q)])
    grid.set_title("weights: each row sums to 1", y=1.0, fontsize=11)
    grid.tick_params(length=0)
    return picture


def _draw_plane(ax: Axes, queries: Tensor, keys: Tensor, blocked: Tensor) -> None:
    reach = 1.25 * max(1.0, float(queries.abs().max()), float(keys.abs().max()))
    ax.axhline(0, color="#cccccc", linewidth=0.8)
    ax.axvline(0, color="#cccccc", linewidth=0.8)
    for name, vectors, color, style in (("k", keys, ORANGE, "--"), ("q", queries, BLUE, "-")):
        for i, (x, y) in enumerate(vectors.tolist()):
            pale = 0.3 if name == "k" and blocked[i] else 1.0
            look = {"arrowstyle": "-|>", "color": color, "linestyle": style, "linewidth": 1.8, "alpha": pale}
            ax.annotate("", (x, y), (0, 0), arrowprops=look | {"shrinkA": 0, "shrinkB": 0})
            length = max(1e-6, (x * x + y * y) ** 0.5)
            out = 0.11 * reach / length
            at_x, at_y = (x + x * out, y + y * out) if length > 1e-3 else (0.1, 0.1)
            behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.8}
            text = ax.text(at_x, at_y, f"{name}{i}", ha="center", va="center", color=color, alpha=pale, bbox=behind)
            text.set(fontsize=10, weight="bold")
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), xlabel="feature 0", ylabel="feature 1")
    ax.set_title("queries (solid), keys (dashed)", y=1.0, fontsize=11)
    ax.tick_params(labelsize=8)
