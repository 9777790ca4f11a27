"""Where the features of each token went: one grid for each head, every cell labelled with what it holds."""

from matplotlib.colors import to_hex
from torch import Tensor

from course_lib.plots.picture import INK, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

SHADES = tuple(to_hex(c) for c in ((0.93, 0.93, 0.93), (0.68, 0.85, 0.96), (1.0, 0.86, 0.55), (0.72, 0.9, 0.74)))


@skipped_when_graded
def head_cells(heads: Tensor, d: int) -> Picture:
    """A picture of heads (h, n, d_head) cut from a numbered (n, d) tensor, torch.arange(n * d).reshape(n, d).

    Each cell shows the token and the feature it holds, and has the color of its token: rows of one color are right.
    """
    if heads.ndim != 3:
        raise ValueError(f"expected heads of one sequence, of shape (h, n, d/h), got {tuple(heads.shape)}")
    count, rows, columns = heads.shape
    alt = "What each head holds. " + " ".join(f"Head {j}: {_in_words(head, d)}." for j, head in enumerate(heads))
    width = 0.75 + 0.62 * columns
    picture = Picture(max(count * width, 3.6), 1.1 + 0.42 * rows, alt)
    axes = picture.subplots(1, count, squeeze=False)[0]
    for j, (ax, head) in enumerate(zip(axes, heads.tolist(), strict=True)):
        for i, row in enumerate(head):
            for f, number in enumerate(row):
                token, feature = divmod(int(number), d)
                ax.fill([f - 0.5, f + 0.5, f + 0.5, f - 0.5], [i - 0.5, i - 0.5, i + 0.5, i + 0.5], _shade(token))
                ax.text(f, i, f"{token} · {feature}", ha="center", va="center", fontsize=9, color=INK)
        ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), xlabel="last dimension")
        ax.set_xticks(range(columns))
        ax.set_yticks(range(rows))
        ax.set_title(f"head {j}", fontsize=10)
    axes[0].set_ylabel("row of the head")
    picture.suptitle("each cell: token · feature", fontsize=11)
    return picture


def _shade(token: int) -> str:
    return SHADES[token % len(SHADES)]


def _in_words(head: Tensor, d: int) -> str:
    held = [[divmod(int(number), d) for number in row] for row in head.tolist()]
    rows = []
    for i, row in enumerate(held):
        tokens = sorted({token for token, _ in row})
        features = ", ".join(str(feature) for _, feature in row)
        rows.append(f"row {i} has features {features} of token {' and '.join(map(str, tokens))}")
    return "; ".join(rows)
