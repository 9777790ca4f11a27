"""Weights as bars, one panel for each setting, with their entropy and the slope that gradients pass through."""

import math
from collections.abc import Mapping, Sequence

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.picture import BLUE, INK, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

MOST_IN_A_ROW = 4


@skipped_when_graded
def weight_bars(title: str, weights: Mapping[str, Float[Tensor, "n"]], names: Sequence[str] | None = None) -> Picture:
    """Each panel's heading gives its entropy and the slope of its largest weight against its own score."""
    panels = {heading: w.detach().double().tolist() for heading, w in weights.items()}
    alt = f"{title}. " + " ".join(f"{heading}: {_in_words(w)}." for heading, w in panels.items())
    columns = min(len(panels), MOST_IN_A_ROW)
    rows = -(-len(panels) // columns)
    picture = Picture(0.6 + 2.1 * columns, 0.5 + 2.5 * rows, alt)
    axes = picture.subplots(rows, columns, squeeze=False, sharey=True).flatten()
    for ax in axes[len(panels) :]:
        ax.set_axis_off()
    for place, (ax, (heading, w)) in enumerate(zip(axes, panels.items(), strict=False)):
        ax.bar(range(len(w)), w, color=BLUE, width=0.7)
        for i, weight in enumerate(w):
            ax.text(i, weight + 0.02, f"{weight:.2f}", ha="center", va="bottom", fontsize=8, color=INK)
        ax.set_title(f"{heading}\nentropy {entropy(w):.2f} bits\nslope {_slope(w):.3f}", fontsize=10)
        ax.set_xticks(range(len(w)), names or range(len(w)))
        ax.set(ylim=(0, 1.13), xlabel="score" if names else "key", ylabel="weight" if place % columns == 0 else "")
        ax.spines[["top", "right"]].set_visible(False)
    picture.suptitle(title, fontsize=12)
    return picture


def entropy(weights: Sequence[float]) -> float:
    """−Σ w log₂ w: 0 bits for one winner, log₂ n for n equal weights."""
    return sum(-w * math.log2(w) for w in weights if w > 0)


def _slope(weights: Sequence[float]) -> float:
    return max(weights) - max(weights) ** 2


def _in_words(weights: Sequence[float]) -> str:
    shown = ", ".join(f"{w:.2f}" for w in weights)
    return f"weights {shown}, entropy {entropy(weights):.2f} bits, slope {_slope(weights):.3f}"
