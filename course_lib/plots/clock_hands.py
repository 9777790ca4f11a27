"""Positions as clocks: each pair of features is a hand, and a shift by k turns every hand by its own angle."""

from collections.abc import Sequence

from jaxtyping import Float
from matplotlib.axes import Axes
from matplotlib.patches import Circle
from torch import Tensor

from course_lib.plots.picture import BLUE, ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def clock_hands(
    encoding: Float[Tensor, "max_len d_model"],
    matrix: Float[Tensor, "d_model d_model"],
    position: int,
    k: int,
    pairs: Sequence[int] = (0, 1, 2, 3),
) -> Picture:
    """For some pairs: the hand at `position`, the hand that the matrix makes of it, and a ring at `position + k`."""
    old, wanted = encoding[position].detach(), encoding[position + k].detach()
    turned = (matrix.detach() @ old).float()
    gaps = [float((turned - wanted)[2 * i : 2 * i + 2].norm()) for i in pairs]
    in_words = ", ".join(f"pair {i} ends {gap:.2f} from its ring" for i, gap in zip(pairs, gaps, strict=True))
    alt = f"Clock hands of position {position}, turned by the matrix for k = {k}: {in_words}."
    picture = Picture(2.3 * len(pairs) + 0.4, 3.3, alt)
    axes = picture.subplots(1, len(pairs), squeeze=False)[0]
    for ax, i in zip(axes, pairs, strict=True):
        _draw_clock(ax, i)
        _draw_hand(ax, old[2 * i : 2 * i + 2], ORANGE, "--")
        _draw_hand(ax, turned[2 * i : 2 * i + 2], BLUE, "-")
        sin, cos = wanted[2 * i : 2 * i + 2].tolist()
        ax.plot(sin, cos, "o", markersize=12, markerfacecolor="none", markeredgecolor="black", markeredgewidth=1.5)
    handles = axes[0].lines[:3]
    names = [f"position {position}", f"after the matrix, k = {k}", f"position {position + k}"]
    picture.legend(handles, names, loc="outside lower center", ncols=3, frameon=False)
    picture.suptitle(f"A shift by {k} turns every hand by its own angle", fontsize=11)
    return picture


def _draw_clock(ax: Axes, pair: int) -> None:
    ax.add_patch(Circle((0, 0), 1, fill=False, edgecolor="#bbbbbb"))
    ax.set(title=f"pair {pair}", xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    ax.set_xlabel(f"feature {2 * pair} (sine)", fontsize=9)
    ax.set_ylabel(f"feature {2 * pair + 1} (cosine)", fontsize=9)
    ax.set_xticks([-1, 0, 1])
    ax.set_yticks([-1, 0, 1])


def _draw_hand(ax: Axes, hand: Tensor, color: str, style: str) -> None:
    sin, cos = hand.tolist()
    ax.plot([0, sin], [0, cos], color=color, linestyle=style, linewidth=2.5, solid_capstyle="round")
