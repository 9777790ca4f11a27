"""The weights of a softmax at one setting of its dial, and their spread and slope at every setting."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.plots.picture import BLUE, INK, ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def softmax_dial(
    betas: Sequence[float],
    weights: Float[Tensor, "settings n"],
    place: int,
) -> Picture:
    """Bars for the setting at index `place`; beside them entropy and slope of the largest weight against beta."""
    spread = -(weights * weights.clamp_min(1e-30).log2()).sum(-1)
    top = weights.amax(-1)
    slope = top - top.square()
    now = weights[place].tolist()
    beta, bits, steep = betas[place], float(spread[place]), float(slope[place])
    in_words = f"weights {', '.join(f'{w:.2f}' for w in now)}, entropy {bits:.2f} bits, slope {steep:.3f}"
    picture = Picture(7.4, 3.6, f"The softmax at beta = {beta:.3g}: {in_words}.", "none")
    bars, lines = picture.add_axes((0.08, 0.23, 0.34, 0.62)), picture.add_axes((0.52, 0.23, 0.38, 0.62))
    bars.bar(range(len(now)), now, color=BLUE, width=0.7)
    for i, weight in enumerate(now):
        bars.text(i, weight + 0.02, f"{weight:.2f}", ha="center", va="bottom", fontsize=9, color=INK)
    bars.set(ylim=(0, 1.12), xlabel="key", ylabel="weight")
    bars.set_title(f"β = {beta:.3g}: entropy {bits:.2f} bits, slope {steep:.3f}", y=1.0, fontsize=10.5)
    lines.semilogx(betas, spread.tolist(), color=ORANGE, linestyle="--", linewidth=2, label="entropy")
    lines.axvline(beta, color=INK, linewidth=1)
    lines.plot([beta], [bits], "o", color=ORANGE)
    lines.set(xlabel="β, the factor on the scores", ylim=(0, torch.tensor(float(len(now))).log2().item() * 1.15))
    lines.set_ylabel("entropy in bits (dashed)", color=ORANGE)
    tens = [beta for beta in (0.01, 0.1, 1.0, 10.0, 100.0) if betas[0] <= beta <= betas[-1]]
    lines.set_xticks(tens, [f"{beta:g}" for beta in tens])  # plain text: mathtext for powers of ten is slow to render
    lines.minorticks_off()
    slopes = lines.twinx()
    slopes.plot(betas, slope.tolist(), color=BLUE, linewidth=2)
    slopes.plot([beta], [steep], "s", color=BLUE)
    slopes.set_ylim(0, 0.29)
    slopes.set_ylabel("slope of the winner (solid)", color=BLUE)
    lines.set_title("spread and slope, by β", y=1.0, fontsize=10.5)
    for ax in (bars, lines, slopes):
        ax.spines["top"].set_visible(False)
        ax.tick_params(labelsize=8)
    return picture
