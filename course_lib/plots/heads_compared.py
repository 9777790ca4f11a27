"""The maps of several heads in a row, and below each the weights of one chosen query as bars."""

from collections.abc import Sequence

from jaxtyping import Float
from matplotlib.patches import Rectangle
from torch import Tensor

from course_lib.plots.picture import BLUE, ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

PLACES = 4  # of which each head takes one, so that one head is no wider than one of four


@skipped_when_graded
def heads_compared(weights: Float[Tensor, "heads n n"], words: Sequence[str], query: int) -> Picture:
    """One column for each head: its map, with the row of the query framed, above that row as bars."""
    heads, n, _ = weights.shape
    chosen = weights[:, query]
    in_words = [
        f"head {h} looks most at {words[int(row.argmax())]} ({float(row.max()):.2f})" for h, row in enumerate(chosen)
    ]
    picture = Picture(9.2, 4.4, f"The query {words[query]}: " + "; ".join(in_words) + ".", "none")
    # All heads in one pair of axes: axes take longer to make than anything in them.
    maps, bars = picture.add_axes((0.085, 0.48, 0.9, 0.43)), picture.add_axes((0.085, 0.21, 0.9, 0.22))
    for h in range(heads):
        start = h * (n + 1) - 0.5
        image = weights[h].cpu().numpy()
        maps.imshow(image, cmap="cividis", vmin=0, vmax=1, aspect="auto", extent=(start, start + n, n - 0.5, -0.5))
        maps.add_patch(Rectangle((start, query - 0.5), n, 1, fill=False, edgecolor=ORANGE, linewidth=2.2))
        maps.text(start + n / 2, -0.75, f"head {h}", ha="center", va="bottom", fontsize=10)
        bars.bar([start + 0.5 + j for j in range(n)], chosen[h].tolist(), color=BLUE, width=0.75)
    across = (-0.5, max(heads, PLACES) * (n + 1) - 1.5)
    maps.set(xlim=across, ylim=(n - 0.5, -0.5))
    maps.set_xticks([])
    maps.set_yticks(range(n), words, fontsize=9)
    bars.set(xlim=across, ylim=(0, 1))
    places = [h * (n + 1) + j for h in range(heads) for j in range(n)]
    bars.set_xticks(places, list(words) * heads, rotation=60, fontsize=9, ha="right", rotation_mode="anchor")
    bars.set_yticks([0, 0.5, 1], ["0", "½", "1"], fontsize=9)
    maps.spines[:].set_visible(False)
    bars.spines[["top", "right"]].set_visible(False)
    for ax in (maps, bars):
        ax.tick_params(length=0)
    return picture
