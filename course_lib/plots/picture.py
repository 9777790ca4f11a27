"""A figure that shows itself in a notebook, once, and carries a text for those who cannot see it."""

import base64
import io
import os

from matplotlib.figure import Figure

INK = "#222222"
BLUE = "#0072B2"  # with ORANGE, distinct for colour-blind readers and in grey
ORANGE = "#D55E00"
DOTS_PER_INCH = 110


class Picture(Figure):
    """A matplotlib Figure outside pyplot, with `alt`: what it shows, in words.

    Its background is white in a dark theme too, where black lines on a clear ground would vanish. With layout "none"
    axes are placed by hand, and titles with `y=1.0`: a picture that follows a slider has no time to be laid out.
    """

    def __init__(self, width: float, height: float, alt: str, layout: str = "constrained"):
        super().__init__(figsize=(width, height), layout=layout, facecolor="white")
        if layout == "constrained":
            self.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
        self.alt = alt

    def sign(self, line: str) -> "Picture":
        """The picture with a small line at its foot, which is also said in words."""
        look = {"ha": "left", "fontsize": 9, "style": "italic", "color": "#555555"}
        if self.get_layout_engine() is None:
            self.text(0.012, 0.015, line, va="bottom", **look)
        else:
            self.supxlabel(line, x=0.012, **look)
        self.alt = f"{self.alt} ({line})"
        return self

    def png(self) -> bytes:
        """The picture as a file."""
        image = io.BytesIO()
        # Little compression: while a slider moves, time matters more than bytes.
        self.savefig(image, format="png", dpi=DOTS_PER_INCH, pil_kwargs={"compress_level": 3})
        return image.getvalue()

    def _repr_mimebundle_(self, **options: object) -> tuple[dict, dict]:
        if os.environ.get("NBGRADER_EXECUTION") == "autograde":
            return {"text/plain": self.alt}, {}  # drawing would take most of the time that grading takes
        data = {"image/png": base64.b64encode(self.png()).decode(), "text/plain": self.alt}
        # With its size known, a page does not jump while one picture takes the place of another.
        width, height = (round(inches * DOTS_PER_INCH) for inches in self.get_size_inches())
        return data, {"image/png": {"alt": self.alt, "width": width, "height": height}}
