"""Errors for people: a sentence instead of a traceback."""


class CourseError(Exception):
    """What happened, what was expected and what to do, in a sentence; shown without a traceback."""
