"""The log of grading: logs/grade.log of a class directory, with a line for each event, rotated by size."""

import logging
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path

from autograder.course.safe_text import printable

LOG = logging.getLogger("autograder.grading")
LOG.addHandler(logging.NullHandler())  # or what is logged with no file open, as in a dry run, would go to the terminal
LARGEST = 1_000_000  # bytes, which is some ten runs over a class of a thousand
KEPT = 5  # full files, grade.log.1 to grade.log.5


class _OneLine(logging.Formatter):
    """No name of a file and no message of a student's code can break a line or steer a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(printable(super().format(record)).split())


class _ClassLog(RotatingFileHandler):
    """A log that cannot be written, as on a full disk, stops no grading and fills no terminal."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802, the name that logging calls
        return


def log_path(root: Path) -> Path:
    return root / "logs" / "grade.log"


@contextmanager
def run_log(root: Path, about: str) -> Iterator[Counter[str]]:
    """Log one run, from its start to its end; what is counted meanwhile is in the last line."""
    with suppress(OSError):
        log_path(root).parent.mkdir(exist_ok=True)
    handler = _ClassLog(log_path(root), maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8", delay=True)
    handler.setFormatter(_OneLine("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%dT%H:%M:%S%z"))
    level, counts, start, ended = LOG.level, Counter[str](), time.monotonic(), "ended"
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    try:
        LOG.info("run started: %s", about)
        yield counts
    except BaseException as error:
        ended = f"stopped by {type(error).__name__}{f' ({error})' if str(error) else ''}"
        raise
    finally:
        totals = ", ".join(f"{number} {word}" for word, number in counts.items()) or "nothing"
        LOG.info("run %s: %s in %.1f s", ended, totals, time.monotonic() - start)
        LOG.setLevel(level)
        LOG.removeHandler(handler)
        handler.close()
