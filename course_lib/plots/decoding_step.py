"""One decoding step: the look-ahead mask so far, and the cross-attention of the current token."""

import torch
from jaxtyping import Float
from matplotlib.colors import ListedColormap
from torch import Tensor

from course_lib.plots.picture import BLUE, INK, ORANGE, Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

NOT_YET_OPEN_BLOCKED = ListedColormap(["#f3f3f3", "#ffffff", "#9fb0c0"])


@skipped_when_graded
def decoding_step(source: str, written: str, weights: Float[Tensor, "steps n_src"], step: int) -> Picture:
    """`written` is the whole target; the character at `step` is being generated, later ones are not drawn yet."""
    steps, n_src = weights.shape
    row = weights[step]
    best = int(row.argmax())
    alt = (
        f"Step {step + 1} of {steps}: {written[:step]!r} is written, {written[step]!r} comes next, and cross-attention "
        f"looks most at {source[best]!r}, place {best} of {source!r}, with weight {float(row[best]):.2f}."
    )
    picture = Picture(8.6, 4.0, alt, "none")
    read = ["SOS", *written[:-1]]
    left, right = picture.add_axes((0.065, 0.2, 0.31, 0.64)), picture.add_axes((0.46, 0.2, 0.52, 0.64))
    states = torch.zeros(steps, steps)
    for i in range(step + 1):
        states[i, : i + 1] = 1
        states[i, i + 1 : step + 1] = 2
    left.imshow(states.numpy(), cmap=NOT_YET_OPEN_BLOCKED, vmin=0, vmax=2, aspect="auto")
    left.axhline(step, color=ORANGE, linewidth=2.4, alpha=0.5)
    rows, columns = (states == 1).nonzero(as_tuple=True)
    left.plot(columns.tolist(), rows.tolist(), "o", color=INK, markersize=3)
    left.set_xticks(range(steps), [name if i <= step else "" for i, name in enumerate(read)], fontsize=8, rotation=45)
    left.set_yticks(range(steps), [f"→ {c}" if i <= step else "" for i, c in enumerate(written)], fontsize=8)
    left.set_title(f"self-attention: the mask, {step + 1} × {step + 1}", y=1.0, fontsize=10)
    left.tick_params(length=0)
    shades = [BLUE if j != best else ORANGE for j in range(n_src)]
    right.bar(range(n_src), row.tolist(), color=shades, width=0.8)
    right.set_xticks(range(n_src), ["␣" if c == " " else c for c in source], fontsize=10)
    right.set(ylim=(0, 1.02), xlim=(-0.6, n_src - 0.4), ylabel="weight", xlabel="what it reads")
    right.set_title(f"cross-attention while it writes  {written[:step]}[{written[step]}]", y=1.0, fontsize=10)
    right.spines[["top", "right"]].set_visible(False)
    right.tick_params(axis="y", labelsize=8)
    return picture
