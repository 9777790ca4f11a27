"""What some tests need beyond Python: where it is missing they are skipped, with one sentence on what to do.

`COURSE_SKIP_NOTHING=1` in the environment turns every such skip into a failure, for machines that should have it all.
"""

import os
from typing import NoReturn

import pytest

from autograder.errors import CourseError
from autograder.examiner.sandbox import require_sandbox

SKIP_NOTHING = "COURSE_SKIP_NOTHING"


def skip_or_fail(reason: str) -> NoReturn:
    """Skip the test or the fixture that calls this; `reason` says what is missing and what to do."""
    if os.environ.get(SKIP_NOTHING) == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def needs_sandbox() -> None:
    """Go on only where submissions can be graded in a sandbox."""
    try:
        require_sandbox()
    except CourseError as problem:
        skip_or_fail(str(problem))
