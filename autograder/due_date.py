"""When a unit is due, as an instructor writes it: a day, or a day and a time of their own clock."""

from datetime import datetime

from autograder.errors import CourseError

END_OF_DAY = {"hour": 23, "minute": 59}


def read_due(text: str) -> datetime:
    """A day alone means its end; anything that is neither a day nor a time is told with an example."""
    for form in ("%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d"):
        try:
            due = datetime.strptime(text.strip(), form)
        except ValueError:
            continue
        return due if "%H" in form else due.replace(**END_OF_DAY)
    raise CourseError(
        f"{text!r} is not a date: write the day, such as 2027-03-01, or the day and the time, such as "
        '"2027-03-01 18:00", in local time'
    )


def show_due(due: datetime) -> str:
    return f"{due:%A}, {due.day} {due:%B %Y, %H:%M}"
