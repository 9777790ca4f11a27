"""A few of the kills that `python -m benchmarks.kills` does by the hundred."""

import pytest
from benchmarks.kills import disturb

pytestmark = pytest.mark.slow


def test_whoever_is_killed_every_submission_is_graded_once_and_rightly(needs_sandbox, tmp_path):
    outcome = disturb(tmp_path, kills=6, seed=3, students=4)
    assert outcome.wrong == []
    assert outcome.killed.total() == 6
