"""Tests that need what a machine lacks are skipped, or fail where nothing may be skipped; and no others are."""

import pytest
from needs import SKIP_NOTHING, needs_sandbox, skip_or_fail, skip_where_grading_refuses

from autograder.errors import CourseError
from autograder.sandbox import bubblewrap


@pytest.fixture
def programs(monkeypatch):
    """Make these the bubblewraps of the machine, by where they come from."""
    monkeypatch.delenv(SKIP_NOTHING, raising=False)
    monkeypatch.setattr(bubblewrap, "refusal", lambda refused: CourseError(f"refused by {sorted(refused)}"))

    def programs(*origins):
        chosen.cache_clear()
        monkeypatch.setattr(bubblewrap, "programs", lambda: iter([(origin, "/no/such/bwrap") for origin in origins]))

    chosen = bubblewrap.bubblewrap
    yield programs
    chosen.cache_clear()


def test_a_skip_is_a_failure_where_nothing_may_be_skipped(monkeypatch):
    monkeypatch.delenv(SKIP_NOTHING, raising=False)
    with pytest.raises(pytest.skip.Exception, match="it is missing: get it"):
        skip_or_fail("it is missing: get it")
    monkeypatch.setenv(SKIP_NOTHING, "1")
    with pytest.raises(pytest.fail.Exception, match="it is missing: get it"):
        skip_or_fail("it is missing: get it")


def test_a_machine_without_a_sandbox_skips_what_needs_one(programs, monkeypatch):
    programs()
    with pytest.raises(pytest.skip.Exception):
        needs_sandbox()
    skip_where_grading_refuses(monkeypatch)
    with pytest.raises(pytest.skip.Exception):
        bubblewrap.bubblewrap()


def test_another_refusal_than_the_machines_is_no_skip(programs, monkeypatch):
    programs()
    skip_where_grading_refuses(monkeypatch)
    programs("elsewhere")
    with pytest.raises(CourseError, match="elsewhere"):
        bubblewrap.bubblewrap()


def test_a_machine_with_a_sandbox_skips_no_refusal(programs, monkeypatch):
    monkeypatch.setattr(bubblewrap, "bubblewrap", lambda: None)
    skip_where_grading_refuses(monkeypatch)
    assert isinstance(bubblewrap.refusal({}), CourseError)
