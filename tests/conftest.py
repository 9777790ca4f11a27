"""Tests run on all cores already: threads within each process, and in the kernels it starts, would only wait."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

OURS = ("COURSE_", "NBGRADER_")  # packages set other variables when they are imported
os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("without a clock", deadline=None)
settings.load_profile("without a clock")


@pytest.fixture(scope="session", autouse=True)
def _skipping_without_a_sandbox():
    import needs  # not before the tests' import hook is in place

    with pytest.MonkeyPatch.context() as patch:
        needs.skip_where_grading_refuses(patch)
        yield


@pytest.fixture(scope="session")
def needs_sandbox(_skipping_without_a_sandbox):
    """For tests that grade in another process."""
    import needs

    needs.needs_sandbox()


@pytest.fixture(autouse=True)
def _leaving_the_process_as_it_was():
    """What a test sets of the process, it sets back: the next one may be any other."""
    environment, state = dict(os.environ), _state()
    yield
    added = {name for name in os.environ.keys() - environment.keys() if name.startswith(OURS)}
    changed = {name for name, value in environment.items() if os.environ.get(name) != value}
    assert added | changed <= {"PYTEST_CURRENT_TEST"}
    assert _state() == state


def _state():
    torch = sys.modules.get("torch")
    modes = (torch.is_grad_enabled(), str(torch.get_default_dtype())) if torch else (True, "torch.float32")
    return Path.cwd(), modes
