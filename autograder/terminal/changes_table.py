"""How changes of grades are shown on a terminal: what a regrade would do, and the history of one grade."""

from collections.abc import Sequence

from rich.markup import escape
from rich.table import Table

from autograder.gradebook.record import GradeRecord, Made
from autograder.gradebook.score_changes import Change, Move, moves

LONGEST = 160  # letters of a diagnosis
PARTS = {"released": "release", "source": "source notebook", "limits": "time limits", "versions": "installed versions"}


def changes_table(changes: Sequence[Change]) -> Table:
    """Everyone whose score would move, and whose grade would say something else."""
    view = Table(show_lines=True)
    view.add_column("student", no_wrap=True)
    view.add_column("score", justify="right", no_wrap=True)
    view.add_column("why", ratio=1)
    for change in sorted(changes, key=lambda change: change.student):
        score = f"{points(change.before)} → {points(change.after)}" if change.moved else points(change.before)
        view.add_row(escape(change.student), score, "\n".join(_why(change)))
    return view


def summary(changes: Sequence[Change]) -> str:
    """How many there are of each kind."""
    moved = [change for change in changes if change.moved and change.before is not None]
    new = [change for change in changes if change.moved and change.before is None]
    failed = [change for change in changes if change.problem]
    counts = [f"{len(moved)} of {len(changes)} scores would move"]
    counts += [f"{len(new)} would be graded for the first time"] * bool(new)
    counts += [f"{len(failed)} cannot be graded and would stay as they are"] * bool(failed)
    return f"{', '.join(counts)}. Nothing was written."


def history_table(grades: Sequence[GradeRecord]) -> Table:
    """Every grade of one student in one unit, with what moved since the one before."""
    view = Table(show_lines=True)
    view.add_column("graded", no_wrap=True)
    view.add_column("score", justify="right", no_wrap=True)
    view.add_column("what moved, and what had changed", ratio=1)
    before: GradeRecord | None = None
    for grade in grades:
        lines = ["the first grade"] if before is None else _moved(moves(before.result, grade.result))
        if before is not None and grade.made is not None:
            lines += _changed(grade.made.changed_since(before.made))
        time = grade.made.time.replace("T", " ")[:16] if grade.made else "not recorded"
        score = f"{points(grade.result.final_score)} / {grade.result.max_score:g}"
        view.add_row(escape(time), score, "\n".join(lines) or "nothing")
        before = grade
    return view


def made_lines(made: Made) -> list[str]:
    """What made a grade, part by part."""
    return [
        f"{name}: {', '.join(f'{key} {item}' for key, item in value.items()) if isinstance(value, dict) else value}"
        for name, value in made.to_json().items()
    ]


def points(score: float | None) -> str:
    return "–" if score is None else f"{score:g}"


def _why(change: Change) -> list[str]:
    if change.problem:
        return [f"[yellow]cannot be graded: {escape(change.problem)}[/]"]
    if change.before is None:
        return ["not graded before"]
    return _moved(change.moves) + _changed(change.parts)


def _moved(moved: Sequence[Move]) -> list[str]:
    lines = []
    for move in moved:
        lines.append(f"[cyan]{escape(move.what)}[/] {points(move.before)} → {points(move.after)}")
        lines += [f"  {escape(_short(reason))}" for reason in move.reasons]
    return lines


def _changed(parts: Sequence[str]) -> list[str]:
    named = [PARTS.get(name, name) for name in parts if name not in ("time", "seed")]
    return [f"[dim]changed since: {escape(', '.join(named))}[/]"] if named else []


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
