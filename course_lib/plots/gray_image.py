"""An image of one channel, from white at 0 to black at 1."""

from typing import Literal

from jaxtyping import Float
from matplotlib.axes import Axes
from torch import Tensor


def show_gray(ax: Axes, image: Float[Tensor, "height width"], aspect: Literal["equal", "auto"] = "equal") -> None:
    ax.imshow(image.detach().float().cpu().numpy(), cmap="gray_r", vmin=0, vmax=1, aspect=aspect)
