"""Tests run on all cores already: threads within each process, and in the kernels it starts, would only wait."""

import os

import pytest

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
