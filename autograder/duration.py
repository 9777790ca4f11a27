"""Durations as text: seconds, minutes, hours or days, whichever reads best."""

MINUTE, HOUR, DAY = 60, 3600, 86400


def duration(seconds: float) -> str:
    """Seconds up to two minutes, minutes up to two hours, hours up to two days, then days."""
    for most, unit, name in ((2 * MINUTE, 1, "s"), (2 * HOUR, MINUTE, "min"), (2 * DAY, HOUR, "h")):
        if round(seconds / unit) < most / unit:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds / DAY:.0f} days"
