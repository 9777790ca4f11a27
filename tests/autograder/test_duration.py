"""Durations are said in the unit that a person would use."""

import pytest

from autograder.duration import duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (3.4, "3 s"),
        (119.4, "119 s"),
        (119.6, "2 min"),
        (90 * 60, "90 min"),
        (7199, "2 h"),
        (3 * 3600, "3 h"),
        (47 * 3600, "47 h"),
        (50 * 3600, "2 days"),
        (30 * 86400, "30 days"),
    ],
)
def test_duration(seconds, words):
    assert duration(seconds) == words
