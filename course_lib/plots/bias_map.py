"""What is added to the scores, as a heat map: one row for each query, one column for each key."""

from collections.abc import Mapping

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.cell_numbers import number_cells
from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded

MOST_NUMBERED = 10


@skipped_when_graded
def bias_maps(biases: Mapping[str, Float[Tensor, "n_q n_k"]]) -> Picture:
    """The maps side by side on one scale around 0, each under its title; small ones show their numbers."""
    largest = max((float(b.detach().abs().max()) for b in biases.values() if b.numel()), default=1.0) or 1.0
    in_words = "; ".join(
        f"{title}: row 0 is {', '.join(f'{v:.1f}' for v in b[0].tolist())}" for title, b in biases.items()
    )
    picture = Picture(1.2 + 4.0 * len(biases), 4.0, f"What is added to the scores. {in_words}.")
    axes = picture.subplots(1, len(biases), squeeze=False)[0]
    for ax, (title, bias) in zip(axes, biases.items(), strict=True):
        image = ax.imshow(bias.detach().float().cpu().numpy(), cmap="cividis", vmin=-largest, vmax=largest)
        ax.set(title=title, xlabel="key j", ylabel="query i")
        ax.set_xticks(range(bias.shape[1]))
        ax.set_yticks(range(bias.shape[0]))
        if max(bias.shape) <= MOST_NUMBERED:
            number_cells(image, "{:.1f}".format)
    picture.colorbar(image, ax=list(axes), label="added to the score", shrink=0.8)
    return picture
