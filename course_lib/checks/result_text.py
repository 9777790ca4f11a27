"""How the findings about one exercise are shown, in a check and in a verdict alike."""

from collections.abc import Sequence
from dataclasses import dataclass

from course_lib.cards.exercise_index import hint_number
from course_lib.cards.observed import Kind, Mistake, Observed
from course_lib.cards.session_outcomes import Outcome


@dataclass(frozen=True)
class Row:
    """One criterion: its name, what was found, and the known mistakes behind it; it passed if nothing was found.

    A row that is not `judged` says what was answered, without a verdict. `compared` is (name, got, expected) where a
    picture may show both.
    """

    name: str
    observed: Observed | None = None
    mistakes: Sequence[Mistake] = ()
    points: str = ""
    judged: bool = True
    compared: tuple[str, object, object] | None = None

    @property
    def outcome(self) -> Outcome:
        if self.observed is not None:
            return Outcome.FAILS
        return Outcome.PASSES if self.judged else Outcome.ANSWERED


def outcome_of(rows: Sequence[Row]) -> Outcome:
    """One outcome for all rows: a wrong one decides, and then one that is not judged."""
    found = {row.outcome for row in rows}
    return next((one for one in (Outcome.FAILS, Outcome.ANSWERED) if one in found), Outcome.PASSES)


def report_text(title: str, rows: Sequence[Row]) -> str:
    """The title with ✓, ○ or ✗, then a line for each criterion and its finding below it; an error is told once."""
    lines = [f"{outcome_of(rows).sign} {title}"]
    raised: set[tuple[str, str]] = set()
    for row in rows:
        lines.append(f"  {row.outcome.sign} {row.name}{f'  [{row.points}]' if row.points else ''}")
        if row.observed and row.observed.kind is Kind.RAISED:
            error = row.observed.error, row.observed.line
            if error in raised:
                lines.append("      the same line raises the same error")
                continue
            raised.add(error)
        if row.observed:
            lines += [f"      {line}" for line in str(row.observed).splitlines()]
        if row.mistakes:
            lines.append(f"    → {diagnosis_text(row.mistakes)}")
    return "\n".join(lines)


def diagnosis_text(mistakes: Sequence[Mistake]) -> str:
    """What to tell a student who made these mistakes, with the hints of the notebook that help."""
    sentences = " ".join(f"{mistake.says}{_see_hint(mistake)}" for mistake in mistakes)
    return f"Two slips at once: {sentences}" if len(mistakes) > 1 else sentences


def _see_hint(mistake: Mistake) -> str:
    number = hint_number(mistake.id.partition("/")[0], mistake.hint) if mistake.hint else None
    return f" See hint {number}." if number else ""
