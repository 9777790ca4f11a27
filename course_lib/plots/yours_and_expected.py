"""A student's matrix, the expected one and their difference, with a ring around the entry that differs most."""

import torch
from jaxtyping import Float
from matplotlib.patches import Ellipse
from matplotlib.patheffects import Normal, Stroke
from torch import Tensor

from course_lib.plots.picture import INK, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

MOST = 12  # rows or columns


@skipped_when_graded
def yours_and_expected(name: str, yours: Float[Tensor, "n m"], expected: Float[Tensor, "n m"]) -> Picture:
    """Three heat maps: two on one scale, and their difference, white where there is none."""
    gap = (yours.double() - expected.double()).cpu()
    i, j = divmod(int(gap.abs().argmax()), gap.shape[1])
    worst = gap[i, j].item()
    words = f"{name}[{i}, {j}] is {abs(worst):.2g} too {'high' if worst > 0 else 'low'}"
    n, m = expected.shape
    picture = Picture(3.2 + 0.85 * m, 1.3 + 0.3 * n, f"{name}: yours, expected, and the difference; at worst, {words}.")
    both = torch.stack([yours.double(), expected.double()]).cpu()
    low, high, most = both.min().item(), both.max().item(), max(gap.abs().max().item(), 1e-12)
    axes = picture.subplots(1, 3, squeeze=False)[0]
    for ax, title, values in zip(axes, (f"your {name}", "expected"), both, strict=False):
        shared = ax.imshow(values.numpy(), cmap="cividis", vmin=low, vmax=high, aspect="equal")
        ax.set_title(title, fontsize=10)
    signed = axes[2].imshow(gap.numpy(), cmap="PuOr", vmin=-most, vmax=most, aspect="equal")
    axes[2].set_title("difference", fontsize=10)
    axes[2].set_xlabel(f"ringed: {words}", fontsize=9)
    for ax in axes:
        ax.set_xticks(range(m))
        ax.set_yticks(range(n))
    for ax in (axes[0], axes[2]):
        ring = Ellipse((j, i), 0.86, 0.86, fill=False, edgecolor=INK, linewidth=1.8)
        ring.set_path_effects([Stroke(linewidth=4.2, foreground="white"), Normal()])
        ax.add_patch(ring)
    picture.colorbar(shared, ax=list(axes[:2]), shrink=0.8)
    picture.colorbar(signed, ax=axes[2], shrink=0.8)
    return picture
