"""The attention patterns of the families side by side: what each query looks at, and what it may not see."""

from collections.abc import Mapping, Sequence

from jaxtyping import Float
from matplotlib.patches import Rectangle
from torch import Tensor

from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

SIDE = 3.1


@skipped_when_graded
def family_maps(
    title: str,
    weights: Mapping[str, Float[Tensor, "n_q n_k"]],
    labels: Mapping[str, tuple[Sequence[str], Sequence[str]]] | None = None,
) -> Picture:
    """One map for each name, on one scale; a weight of exactly 0 is hatched. `labels` are (queries, keys) by name."""
    alt = f"{title}. " + " ".join(f"{name}: {_in_words(w)}" for name, w in weights.items())
    picture = Picture(SIDE * len(weights) + 0.9, SIDE + 0.7, alt)
    axes = picture.subplots(1, len(weights), squeeze=False)[0]
    for ax, (name, w) in zip(axes, weights.items(), strict=True):
        image = ax.imshow(w.detach().float().cpu().numpy(), cmap="cividis", vmin=0, vmax=1, interpolation="nearest")
        for i, j in (w == 0).nonzero().tolist():
            ax.add_patch(
                Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="white", edgecolor="#8a99a8", hatch="////", lw=0)
            )
        queries, keys = (labels or {}).get(name, (range(w.shape[0]), range(w.shape[1])))
        ax.set_xticks(range(w.shape[1]), keys, fontsize=8)
        ax.set_yticks(range(w.shape[0]), queries, fontsize=8)
        ax.tick_params(length=0)
        ax.set_title(name, fontsize=10)
        ax.set(xlabel="key", ylabel="query")
    picture.suptitle(title, fontsize=12)
    picture.colorbar(image, ax=list(axes), label="weight", shrink=0.75)
    return picture


def _in_words(weights: Tensor) -> str:
    best = ", ".join(str(place) for place in weights.argmax(-1).tolist())
    blocked = int((weights == 0).sum())
    return f"queries look most at keys {best}; {blocked} of {weights.numel()} weights are exactly 0."
