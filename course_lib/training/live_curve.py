"""A progress bar for training, and in a notebook a loss curve that is redrawn while the model learns."""

import time

from course_lib.notebook_display import Handle, notebook_display
from course_lib.plots import curves
from course_lib.training.loop import ProgressBar

SMOOTH = 10


class LiveCurve:
    """To be passed to `train` as `watch`. Redraws the curve every few seconds; in plain Python shows only the bar."""

    def __init__(self, steps: int, title: str = "Training", seconds: float = 3.0):
        self.steps, self.title, self.seconds = steps, title, seconds
        self.bar = ProgressBar(steps)
        self.losses: list[float] = []
        self._handle: Handle | None = None
        self._drawn = -seconds

    def __call__(self, step: int, loss: float) -> None:
        self.losses.append(loss)
        # Draw the curve before the bar prints, so that the bar stays on one line below it.
        if step in (1, self.steps) or time.monotonic() - self._drawn >= self.seconds:
            self._draw()
            self._drawn = time.monotonic()
        self.bar(step, loss)

    def _draw(self) -> None:
        display = notebook_display()
        if display is None:
            return
        picture = curves(self.title, {"loss": self.losses}, smooth=SMOOTH, log_y=True)
        if self._handle is None:
            self._handle = display(picture, display_id=True)
        else:
            self._handle.update(picture)
