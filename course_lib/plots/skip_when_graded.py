"""Skip drawing while a submission is graded: nobody sees the pictures, and drawing would take most of the time."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, cast

from course_lib.grading_mode import being_graded
from course_lib.plots.picture import Picture

P = ParamSpec("P")


class Undrawn:
    """Placeholder for a picture that was not drawn."""

    def __init__(self, name: str):
        self._name = name

    def __repr__(self) -> str:
        return f"({self._name}: not drawn while grading)"


def skipped_when_graded(plot: Callable[P, Picture]) -> Callable[P, Picture]:
    """Decorate a plot to return a placeholder instead of drawing while a submission is graded."""

    @wraps(plot)
    def draw(*args: P.args, **options: P.kwargs) -> Picture:
        # typed as a picture: notebooks only display it
        return cast(Picture, Undrawn(plot.__name__)) if being_graded() else plot(*args, **options)

    return draw
