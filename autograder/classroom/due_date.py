"""When a unit is due, as an instructor writes it: a day, or a day and a time, of their own clock if none is named."""

from datetime import date, datetime, time

from autograder.errors import CourseError

END_OF_DAY = time(23, 59)


def read_due(text: str) -> datetime:
    """In local time. A day alone means its end; what is neither a day nor a time is told with an example."""
    try:
        due = _read(text.strip())
        return due.astimezone().replace(tzinfo=None)
    except (ValueError, OverflowError, OSError):  # the latter two from years that no clock has
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
