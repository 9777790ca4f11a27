"""Who looks at an output: a person at a front end, a reader of a saved page, or nobody while grading."""

from enum import Enum

from course_lib.grading_mode import being_graded
from course_lib.notebook_display import has_front_end


class Audience(Enum):
    PERSON = "a person who can move a slider"
    READER = "somebody who reads the page later"
    NOBODY = "a grader, who looks at no picture"


def audience() -> Audience:
    if being_graded():
        return Audience.NOBODY
    return Audience.PERSON if has_front_end() and has_widgets() else Audience.READER


def has_widgets() -> bool:
    try:
        import ipywidgets  # noqa: F401
    except ImportError:
        return False
    return True
