"""Sessions with kernels, in the sandbox and outside."""

import time

import pytest

from autograder.course.units import ROOT, find_unit
from autograder.examiner.assignment import Limits
from autograder.examiner.session import Session
from autograder.sandbox import zygote_pool
from autograder.sandbox.zygote_pool import new_kernel

UNIT = find_unit("01")
LIMITS = Limits(cell=10, call=3)


@pytest.fixture
def session():
    """A kernel in the sandbox, of its own for each test."""
    kernel_session = Session(new_kernel(UNIT, "bwrap"), LIMITS, time.monotonic() + 600)
    yield kernel_session
    kernel_session.close()


@pytest.fixture(scope="session")
def open_session():
    """A kernel outside the sandbox that can import all of the course, so that the exams' banks can be its answers."""
    files = {p.relative_to(ROOT): p.read_text("utf-8") for p in (ROOT / "course_lib").rglob("*.py")}
    files |= {p.relative_to(ROOT): p.read_text("utf-8") for p in (ROOT / "course_lib").rglob("*.json")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zygote_pool, "student_edition", lambda unit: files)
        zygote = zygote_pool.Zygote(UNIT, "none")  # nobody else's: other tests in this process see the student edition
    kernel_session = Session(zygote.start_kernel(), Limits(cell=300, call=60), time.monotonic() + 600)
    kernel_session.run(f"import sys; sys.path.insert(0, {str(ROOT)!r})")  # before an installed autograder
    yield kernel_session
    kernel_session.close()
    zygote.close()
