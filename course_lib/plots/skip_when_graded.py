"""Skip drawing while a submission is graded: nobody sees the pictures, and drawing would take most of the time."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from course_lib.grading_mode import being_graded
from course_lib.plots.picture import Picture

P = ParamSpec("P")


class Undrawn(Picture):
    """An empty picture, in place of one that was not drawn; it displays as one line of text."""

    def __init__(self, name: str):
        super().__init__(1.0, 1.0, alt=f"{name}: not drawn while grading", layout="none")

    def __repr__(self) -> str:
        return f"({self.alt})"

    def _repr_mimebundle_(self, **options: object) -> tuple[dict, dict]:
        return {"text/plain": repr(self)}, {}


def skipped_when_graded(plot: Callable[P, Picture]) -> Callable[P, Picture]:
    """Decorate a plot to return a placeholder instead of drawing while a submission is graded."""

    @wraps(plot)
    def draw(*args: P.args, **options: P.kwargs) -> Picture:
        return Undrawn(plot.__name__) if being_graded() else plot(*args, **options)

    return draw
