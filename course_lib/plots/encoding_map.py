"""Positional encodings as heat maps: one row for each position, one column for each feature."""

from collections.abc import Mapping

from jaxtyping import Float
from torch import Tensor

from course_lib.plots.picture import Picture
from course_lib.plots.skip_when_graded import skipped_when_graded


@skipped_when_graded
def encoding_maps(encodings: Mapping[str, Float[Tensor, "n d_model"]]) -> Picture:
    """The encodings side by side on one scale, each under its title."""
    largest = max((float(e.abs().max()) for e in encodings.values() if e.numel()), default=1.0)
    sizes = [f"{title}: {e.shape[0]} positions, {e.shape[1]} features" for title, e in encodings.items()]
    alt = "Positional encodings as heat maps. " + "; ".join(sizes) + f". Values from −{largest:.2g} to {largest:.2g}."
    picture = Picture(1.4 + 4.6 * len(encodings), 3.8, alt)
    axes = picture.subplots(1, len(encodings), squeeze=False)[0]
    for ax, (title, encoding) in zip(axes, encodings.items(), strict=True):
        # cividis is monotonic in gray, so it reads the same without color
        image = ax.imshow(
            encoding.detach().float().cpu().numpy(),
            cmap="cividis",
            vmin=-largest,
            vmax=largest,
            aspect="auto",
            interpolation="nearest",
        )
        ax.set(title=title, xlabel="feature", ylabel="position")
    picture.colorbar(image, ax=list(axes), label="value", shrink=0.9)
    return picture
