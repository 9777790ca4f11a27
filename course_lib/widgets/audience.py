"""Who is there: a person at a front end, a reader of a saved page, or a grader who looks at nothing."""

import sys
from collections.abc import Callable
from enum import Enum

from course_lib.grading_mode import being_graded


class Audience(Enum):
    PERSON = "a person who can move a slider"
    READER = "somebody who reads the page later"
    NOBODY = "a grader, who looks at no picture"


def audience() -> Audience:
    """nbgrader, nbval and nbconvert say with every cell that nobody can be asked; a notebook's front end never does."""
    if being_graded():
        return Audience.NOBODY
    kernel = getattr(_shell(), "kernel", None)
    if not getattr(kernel, "_allow_stdin", False):
        return Audience.READER
    return Audience.PERSON if has_widgets() else Audience.READER


def has_widgets() -> bool:
    try:
        import ipywidgets  # noqa: F401
    except ImportError:
        return False
    return True


def notebook_display() -> Callable | None:
    """IPython's `display` inside a notebook, which alone has IPython loaded and running."""
    return _notebook().display.display if _shell() is not None else None


def _shell() -> object | None:
    notebook = _notebook()
    return notebook.get_ipython() if notebook is not None else None


def _notebook() -> object | None:
    return sys.modules.get("IPython")
