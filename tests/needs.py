"""What some tests need beyond Python: where it is missing they are skipped, with one sentence on what to do.

A test that grades asks for nothing: `skip_where_grading_refuses` turns the refusal to grade that this machine gives,
and no other, into a skip wherever it comes up. A test that grades by starting a program asks by `needs_sandbox`.
`COURSE_SKIP_NOTHING=1` in the environment turns every such skip into a failure, for machines that should have it all.
"""

import os
import shutil
import subprocess
from typing import NoReturn

import pytest

from autograder.errors import CourseError
from autograder.sandbox import bubblewrap

SKIP_NOTHING = "COURSE_SKIP_NOTHING"


def skip_or_fail(reason: str) -> NoReturn:
    """Skip the test or the fixture that calls this; `reason` says what is missing and what to do."""
    if os.environ.get(SKIP_NOTHING) == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def needs_sandbox() -> None:
    """Go on only where submissions can be graded in a sandbox."""
    try:
        bubblewrap.bubblewrap()
    except CourseError as problem:
        skip_or_fail(_advice(problem))


def needs_mounts() -> None:
    """Go on only where a test may have file systems of its own: one that is full, or can only be read."""
    command = ("unshare", "--map-root-user", "--mount", "true")
    if shutil.which("unshare") is None or subprocess.run(command, capture_output=True).returncode:
        skip_or_fail("no file system can be mounted here: install util-linux, and allow user namespaces")


def skip_where_grading_refuses(patch: pytest.MonkeyPatch) -> None:
    """If this machine has no sandbox, skip each test that comes to need one.

    A skip passes every `except Exception` on its way. Only what this machine gives now counts as its refusal: a test
    that arranges for another one sees a CourseError.
    """
    try:
        bubblewrap.bubblewrap()
        return
    except CourseError as problem:
        known = str(problem)
    refusal = bubblewrap.refusal

    def skip(*arguments: object) -> CourseError:
        problem = refusal(*arguments)
        if str(problem) == known:
            skip_or_fail(_advice(problem))
        return problem

    patch.setattr(bubblewrap, "refusal", skip)


def _advice(problem: CourseError) -> str:
    return str(problem).removesuffix(f", {bubblewrap.WITHOUT}")
