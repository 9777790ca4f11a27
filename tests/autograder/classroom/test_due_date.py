"""Due dates as people write them."""

import time
from datetime import datetime

import pytest

from autograder.classroom.due_date import read_due, show_due
from autograder.errors import CourseError


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("2027-03-01", datetime(2027, 3, 1, 23, 59)),
        ("2027-03-01 18:00", datetime(2027, 3, 1, 18, 0)),
        (" 2027-03-01T18:00 ", datetime(2027, 3, 1, 18, 0)),
        ("2027-03-01 18:00:30", datetime(2027, 3, 1, 18, 0, 30)),
    ],
)
def test_a_day_ends_and_a_time_is_a_time(text, due):
    assert read_due(text) == due


@pytest.mark.parametrize(
    "text",
    [
        "tomorrow",
        "",
        "01.03.2027",
        "2027-02-30",
        "2027-03-01 25:00",
        "2027-03-01 18:00+25",
        "9999-12-31 23:00-09:00",
    ],
)
def test_what_is_no_date_is_told_with_an_example(text):
    with pytest.raises(CourseError, match="is not a date: write the day, such as 2027-03-01"):
        read_due(text)


@pytest.mark.parametrize("text", ["2027-07-01T18:00:00+02:00", "2027-07-01 16:00Z", "2027-07-01 09:00-07:00"])
def test_a_time_of_another_clock_is_told_by_ones_own(text, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    try:
        assert read_due(text) == datetime(2027, 7, 1, 21, 30)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_it_is_shown_as_one_says_it():
    assert show_due(datetime(2027, 3, 1, 23, 59)) == "Monday, 1 March 2027, 23:59"
