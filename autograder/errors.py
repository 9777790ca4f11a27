"""Errors that a person is meant to read."""


class CourseError(Exception):
    """What happened, what was expected and what to do, in a sentence; shown without a traceback."""
