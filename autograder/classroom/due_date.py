"""Due dates as instructors type them: a day, or a day and a time; local time unless a time zone is given."""

from datetime import date, datetime, time

from autograder.errors import CourseError

END_OF_DAY = time(23, 59)


def read_due(text: str) -> datetime:
    """The due date in local time, at 23:59 if only a day is given; a CourseError shows the expected format."""
    try:
        due = _read(text.strip())
        return due.astimezone().replace(tzinfo=None)
    except (ValueError, OverflowError, OSError):  # the last two come from years that the platform cannot represent
        raise CourseError(
            f"{text!r} is not a date: write the day, such as 2027-03-01, or the day and the time, such as "
            '"2027-03-01 18:00", in local time'
        ) from None


def _read(text: str) -> datetime:
    try:
        return datetime.combine(date.fromisoformat(text), END_OF_DAY)
    except ValueError:
        return datetime.fromisoformat(text)


def show_due(due: datetime) -> str:
    return f"{due:%A}, {due.day} {due:%B %Y, %H:%M}"
