"""Results as they come: a moving line on a terminal, plain lines elsewhere, and a summary at the end."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.course.safe_text import json_text
from autograder.gradebook.results import Result, Status
from autograder.terminal.results_table import line, slowest, table

LARGEST_TABLE = 40
WORDS = {
    Status.GRADED: "graded",
    Status.ATTENTION: "graded with something to look at",
    Status.FAILED: "not graded",
}


def show_results(
    results: Iterable[Result], total: int, json_file: Path | None, out: Console, with_table: bool = True
) -> bool:
    """Show each result, write it as a JSON line, sum up; returns whether one needs attention."""
    statuses: Counter[str] = Counter()
    kept: list[Result] = []
    times: list[tuple[float, str]] = []
    with _json_lines(json_file) as lines, moving_line(total, out) as moving:
        for result in results:
            statuses[result.status] += 1
            times = sorted([*times, (result.seconds, result.student)], reverse=True)[:3]
            if with_table and (total <= LARGEST_TABLE or result.needs_attention):
                kept.append(result)
            out.print(line(result), soft_wrap=True)
            moving(statuses)
            if lines:
                lines.write(json_text(result.to_json()) + "\n")
                lines.flush()
    if kept:
        out.print(table(sorted(kept, key=lambda result: result.student)))
    out.print(f"{_counted(statuses)}; {slowest(times)}")
    return any(number for status, number in statuses.items() if status != Status.GRADED)


def _counted(statuses: Counter[str]) -> str:
    return ", ".join(f"{statuses[status]} {words}" for status, words in WORDS.items() if statuses[status])


@contextmanager
def _json_lines(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    with path.open("w", encoding="utf-8") as file:
        yield file


@contextmanager
def moving_line(total: int, out: Console) -> Iterator[Callable[[Counter[str]], None]]:
    """How far it is, how fast, how long still, and how many so far are not just graded; nothing but on a terminal."""
    if not out.is_terminal or total < 2:
        yield lambda kinds: None
        return
    columns = (
        TextColumn("graded"),
        MofNCompleteColumn(),
        BarColumn(),
        TextColumn("{task.fields[rate]} a minute,"),
        TimeRemainingColumn(),
        TextColumn("left {task.fields[trouble]}"),
    )
    with Progress(*columns, console=out, transient=True) as progress:
        task = progress.add_task("grading", total=total, rate="–", trouble="")

        def move(kinds: Counter[str]) -> None:
            speed = progress.tasks[0].speed
            trouble = {status: number for status, number in kinds.items() if status != Status.GRADED}
            shown = ", ".join(f"{number} {status}" for status, number in trouble.items())
            progress.update(task, advance=1, rate=f"{60 * speed:.0f}" if speed else "–", trouble=shown)

        yield move
