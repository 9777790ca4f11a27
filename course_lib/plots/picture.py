"""A matplotlib figure with alternative text that displays itself in a notebook."""

import base64
import io
from typing import Literal

from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import FancyBboxPatch

INK = "#222222"
PAPER = "#f6f4ef"
BLUE = "#0072B2"  # distinct from ORANGE for color-blind readers and in gray
ORANGE = "#D55E00"
DOTS_PER_INCH = 110
ROUNDING = 0.13  # inches


class Picture(Figure):
    """A matplotlib Figure outside pyplot, with `alt`: what it shows, in words.

    The background is an opaque card with round corners, so that dark lines stay visible in a dark theme. With layout
    "none" axes are placed by hand, and titles with `y=1.0`: computing a layout is too slow for a slider.
    """

    def __init__(self, width: float, height: float, alt: str, layout: Literal["constrained", "none"] = "constrained"):
        super().__init__(figsize=(width, height), layout=layout)  # type: ignore[arg-type]  # the stubs lack "none"
        self.patch = FancyBboxPatch(  # type: ignore[assignment]  # any patch can be a figure's ground
            (0, 0),
            width,
            height,
            boxstyle=f"round,pad=0,rounding_size={ROUNDING}",
            transform=self.dpi_scale_trans,
            facecolor=PAPER,
            linewidth=0,
            in_layout=False,
        )
        if isinstance(engine := self.get_layout_engine(), ConstrainedLayoutEngine):
            engine.set(w_pad=0.14, h_pad=0.14)
        self.alt = alt

    def sign(self, line: str) -> "Picture":
        """Add a small line at the foot and to the alternative text; returns the picture."""
        left = 0.13 / self.get_figwidth()
        if self.get_layout_engine() is None:
            foot = self.text(left, 0.07 / self.get_figheight(), line, va="bottom")
        else:
            foot = self.supxlabel(line, x=left)
        foot.set(ha="left", fontsize=9, style="italic", color="#555555")
        self.alt = f"{self.alt} ({line})"
        return self

    def png(self) -> bytes:
        """The picture as a file."""
        image = io.BytesIO()
        # Low compression: encoding must keep up with a slider.
        self.savefig(image, format="png", dpi=DOTS_PER_INCH, pil_kwargs={"compress_level": 3})
        return image.getvalue()

    def _repr_mimebundle_(self, **options: object) -> tuple[dict, dict]:
        data = {"image/png": base64.b64encode(self.png()).decode(), "text/plain": self.alt}
        # With its size given, the page doesn't jump when one picture replaces another.
        width, height = (round(inches * DOTS_PER_INCH) for inches in self.get_size_inches())
        return data, {"image/png": {"alt": self.alt, "width": width, "height": height}}
