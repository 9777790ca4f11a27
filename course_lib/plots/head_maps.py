"""The attention maps of all heads of one layer, small and on one scale, to compare what each looks at."""

from collections.abc import Sequence

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

MOST_IN_A_ROW = 4
MOST_NAMED = 24


@skipped_when_graded
def head_maps(
    weights: Float[Tensor, "heads n_q n_k"],
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    title: str = "",
) -> Picture:
    """One map for each head; a map's own largest weight is its lightest cell if no weight comes near 1."""
    heads, n_q, n_k = weights.shape
    columns = min(heads, MOST_IN_A_ROW)
    rows = -(-heads // columns)
    top = float(weights.detach().max()) if weights.numel() else 1.0
    alt = f"{title or 'Attention'}, {heads} {'head' if heads == 1 else 'heads'}. " + " ".join(
        _in_words(i, w) for i, w in enumerate(weights)
    )
    width, height = 1.0 + min(0.24 * n_k, 3.4), 1.0 + min(0.24 * n_q, 3.4)
    picture = Picture(columns * width + 1.1, rows * height + 0.4, alt)
    axes = picture.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    for ax in axes.flatten()[heads:]:
        ax.set_axis_off()
    for i, (ax, head) in enumerate(zip(axes.flatten(), weights.detach().float().cpu().numpy(), strict=False)):
        image = ax.imshow(head, cmap="cividis", vmin=0, vmax=top, aspect="auto", interpolation="nearest")
        ax.set_title(f"head {i}", fontsize=10)
        if keys and n_k <= MOST_NAMED:
            ax.set_xticks(range(n_k), keys, rotation=90 if max(map(len, keys)) > 1 else 0, fontsize=8)
        if queries and n_q <= MOST_NAMED:
            ax.set_yticks(range(n_q), queries, fontsize=8)
    for ax in axes[-1]:
        ax.set_xlabel("key")
    for ax in axes[:, 0]:
        ax.set_ylabel("query")
    if title:
        picture.suptitle(title, fontsize=12)
    picture.colorbar(image, ax=list(axes.flatten()), label="weight", shrink=0.9)
    return picture


def _in_words(i: int, weights: Tensor) -> str:
    best = weights.argmax(-1).tolist()
    return f"Head {i}: queries look most at keys {', '.join(map(str, best))}."
