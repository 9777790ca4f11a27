"""Whether a person looks at the notebook, or a grader runs it."""

import os


def being_graded() -> bool:
    """Whether this notebook runs in a grader's hands."""
    return os.environ.get("NBGRADER_EXECUTION") == "autograde"
