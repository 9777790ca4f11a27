"""A student's matrix beside the one that was expected, on one scale, with the wrong entries framed."""

import torch
from jaxtyping import Float
from matplotlib.patches import Rectangle
from torch import Tensor

from course_lib.plots.picture import ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

MOST = 12  # rows or columns
WRONG = 1e-3


@skipped_when_graded
def yours_and_wanted(name: str, yours: Float[Tensor, "n m"], wanted: Float[Tensor, "n m"]) -> Picture:
    """Two heat maps; where only some entries of the left one are wrong, those have a frame."""
    wrong = ~torch.isclose(yours, wanted, rtol=WRONG, atol=WRONG)
    alt = f"{name}: yours beside wanted, {int(wrong.sum())} of {wrong.numel()} entries differ."
    n, m = wanted.shape
    picture = Picture(2.2 + 0.7 * m, 1.2 + 0.35 * n, alt)
    both = torch.stack([yours.float(), wanted.float()])
    low, high = both.min().item(), both.max().item()
    axes = picture.subplots(1, 2, squeeze=False)[0]
    for ax, title, values in zip(axes, (f"your {name}", "wanted"), both, strict=True):
        image = ax.imshow(values.cpu().numpy(), cmap="cividis", vmin=low, vmax=high, aspect="equal")
        ax.set_title(title, fontsize=10)
        ax.set_xticks(range(m))
        ax.set_yticks(range(n))
    some = wrong.sum() <= wrong.numel() / 2
    for i, j in wrong.nonzero().tolist() if some else []:
        frame = Rectangle((j - 0.42, i - 0.42), 0.84, 0.84, fill=False, edgecolor=ORANGE, linewidth=1.6)
        axes[0].add_patch(frame)
    picture.colorbar(image, ax=list(axes), shrink=0.8)
    return picture
