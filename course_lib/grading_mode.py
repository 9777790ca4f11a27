"""Grading mode: nbgrader and the course set NBGRADER_EXECUTION while they execute a submission."""

import os


def being_graded() -> bool:
    """Whether this notebook is executed by a grader."""
    return os.environ.get("NBGRADER_EXECUTION") == "autograde"
