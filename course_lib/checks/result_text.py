"""How the findings about one exercise are shown, in a check and in a verdict alike."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One criterion: its name, whether it passed, and what was found."""

    name: str
    passed: bool
    message: str = ""
    diagnosis: str | None = None
    points: str = ""


def report_text(title: str, rows: Sequence[Row]) -> str:
    """The title with ✓ or ✗, then a line for each criterion and its finding below it."""
    lines = [f"{_mark(all(row.passed for row in rows))} {title}"]
    for row in rows:
        lines.append(f"  {_mark(row.passed)} {row.name}{f'  [{row.points}]' if row.points else ''}")
        lines += [f"      {line}" for line in row.message.splitlines()]
        if row.diagnosis:
            lines.append(f"    → {row.diagnosis}")
    return "\n".join(lines)


def _mark(passed: bool) -> str:
    return "✓" if passed else "✗"
