"""What late work loses: nbgrader's late-submission plugin, by the settings in the class's course.toml."""

import math
from functools import cached_property
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Unicode

from autograder.classroom.settings import ClassSettings, read_settings

DAY = 86_400.0  # seconds


class CourseLatePolicy(LateSubmissionPlugin):
    """As nbgrader's own while course.toml sets no penalty, so that its `penalty_method` goes on to work."""

    root = Unicode(help="The class directory, which holds course.toml.").tag(config=True)

    @cached_property
    def settings(self) -> ClassSettings:
        """Read once: a plugin serves one run."""
        return read_settings(Path(self.root))

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        settings, unit = self.settings, getattr(self.parent, "assignment_id", "")
        late = total_seconds_late - DAY * settings.days_more(student_id, unit)
        if late <= 0:
            return None
        if settings.penalty_per_day is None:
            nbgraders: float | None = super().late_submission_penalty(student_id, score, total_seconds_late)
            return nbgraders
        return penalty(settings, score, late)


def penalty(settings: ClassSettings, score: float, seconds_late: float) -> float | None:
    """A percentage of the score for each day begun, up to the maximum; whoever misses the grace gets nothing of it."""
    if settings.penalty_per_day is None or seconds_late <= 60 * settings.grace:
        return None
    percent = min(settings.maximum, settings.penalty_per_day * math.ceil(seconds_late / DAY))
    return round(score * percent / 100, 2)
