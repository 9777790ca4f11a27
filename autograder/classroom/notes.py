"""The notes beside a submission: when it was handed in, and the word that names its feedback in nbgrader's exchange."""

import re
from datetime import datetime
from pathlib import Path

from autograder.outside_files import Missing, Refused, read_below

TIMESTAMP = "timestamp.txt"
SECRET = "submission_secret.txt"  # nbgrader releases feedback only if every submission has this file
NOTES = (TIMESTAMP, SECRET)
LONGEST = 1_000  # bytes
# a date and a time in numbers or words, then perhaps a time zone; never a path, which names of zones may be
MOMENT = re.compile(r"[\w.,:+-]+(?:[ T][\w.,:+-]+){0,5}(?: [A-Za-z_]+(?:/[A-Za-z_]+){0,2})?", re.ASCII)
OFFSET = re.compile(r" [+-]\d{4}$", re.ASCII)
EXPECTED = "expected a time such as 2027-03-01 17:55:00.000000 UTC"


def read_note(root: Path, path: Path) -> str | None:
    """A note below `root`; None if there is none."""
    try:
        return read_below(root, path, LONGEST).decode("utf-8")
    except Missing:
        return None
    except UnicodeDecodeError:
        raise Refused(f"{path.relative_to(root).as_posix()} is not UTF-8 text") from None


def read_notes(root: Path, folder: Path) -> dict[str, str]:
    """The notes that are in the folder of a submission, by their names."""
    notes = {name: read_note(root, folder / name) for name in NOTES}
    return {name: text for name, text in notes.items() if text is not None}


def _parse(text: str) -> datetime:
    day, time, offset = text.split(" ")
    return datetime.fromisoformat(f"{day}T{time}{offset}")


def read_timestamp(text: str, path: Path) -> datetime | None:
    """The time in UTC that a timestamp says, in any form that nbgrader reads; None if it is empty."""
    from nbgrader.utils import parse_utc

    text = text.strip()
    if not text:
        return None
    try:
        if not MOMENT.fullmatch(text):
            raise ValueError
        # nbgrader would read such an offset as seconds, and who writes one means hours and minutes
        moment: datetime = parse_utc(_parse(text) if OFFSET.search(text) else text)
    except Exception:  # of any kind: dates of the year 0, offsets of a thousand hours
        raise Refused(f"{path.name} says {text[:40]!r}, {EXPECTED}: correct it, then grade again") from None
    return moment
