"""A figure that shows itself in a notebook, once, and carries a text for those who cannot see it."""

import base64
import io

from matplotlib.figure import Figure

INK = "#222222"
BLUE = "#0072B2"  # with ORANGE, distinct for colour-blind readers and in grey
ORANGE = "#D55E00"
DOTS_PER_INCH = 110


class Picture(Figure):
    """A matplotlib Figure outside pyplot, with `alt`: what it shows, in words."""

    def __init__(self, width: float, height: float, alt: str):
        super().__init__(figsize=(width, height), layout="constrained", facecolor="white")
        self.get_layout_engine().set(w_pad=0.1, h_pad=0.1)
        self.alt = alt

    def _repr_mimebundle_(self, **options: object) -> tuple[dict, dict]:
        image = io.BytesIO()
        self.savefig(image, format="png", dpi=DOTS_PER_INCH)
        data = {"image/png": base64.b64encode(image.getvalue()).decode(), "text/plain": self.alt}
        return data, {"image/png": {"alt": self.alt}}
