"""Tests run on all cores already: threads within each process, and in the kernels it starts, would only wait."""

import os
import sys
from pathlib import Path

import pytest

NOT_OURS = ("PYTEST_", "KMP_")  # set by pytest for each test, and by scikit-learn when it is imported
os.environ.setdefault("OMP_NUM_THREADS", "1")


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
    before = _state()
    yield
    assert _state() == before


def _state():
    torch = sys.modules.get("torch")
    modes = (torch.is_grad_enabled(), str(torch.get_default_dtype())) if torch else (True, "torch.float32")
    return {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}, Path.cwd(), modes
