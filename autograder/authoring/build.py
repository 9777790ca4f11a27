"""`course build`: write notebooks, cards of checks, quizzes, the exercise index and the syllabus from their sources."""

import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.authoring.exercise_index import exercise_list
from autograder.authoring.quizzes import QUIZZES, quiz_file
from autograder.authoring.syllabus_page import PAGE, syllabus_page
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.units import ROOT, written_units
from autograder.exams import EXAMS, UNITS
from course_lib.cards.cards import DECIMALS
from course_lib.cards.cards import FOLDER as CARDS
from course_lib.cards.exercise_index import LIST as EXERCISES
from course_lib.single_thread import one_thread


def outputs() -> Iterator[tuple[Path, str]]:
    """Every file that `course build` writes, with its text."""
    kinds: dict[str, str] = {}
    notebooks = {}
    for unit in written_units():
        notebooks[unit] = student_notebook(unit)
        yield unit.notebook, write_notebook(notebooks[unit])
        with one_thread():  # Multithreaded sums round differently; one thread keeps builds reproducible.
            cards = {exam.exercise: exam.card() for exam in UNITS[unit.id]}
        kinds |= {exercise: card["kind"] for exercise, card in cards.items()}
        yield CARDS / f"unit_{unit.id}.json", _one_in_a_line(cards)
        yield QUIZZES / f"unit_{unit.id}.json", quiz_file(unit)
    yield EXERCISES, exercise_list(notebooks, kinds, EXAMS)
    yield PAGE, syllabus_page()


def _one_in_a_line(cards: Mapping[str, object]) -> str:
    """JSON with a line for each card, so that a diff shows which ones have changed."""
    lines = (f"{json.dumps(exercise)}: {json.dumps(card, ensure_ascii=False)}" for exercise, card in cards.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def stale_files() -> list[str]:
    """The files that a build would change or remove, as paths in the repository."""
    wanted = _wanted()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    return sorted(str(path.relative_to(ROOT)) for path in [*stale, *_left_over(wanted)])


def build() -> list[Path]:
    """Write every file, remove those that no longer have a source, and return what was written."""
    wanted = _wanted()
    for path, text in wanted.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    for path in _left_over(wanted):
        path.unlink()
    return list(wanted)


def build_solutions(folder: Path) -> list[Path]:
    """Write the instructor notebooks into a folder, for tools that must see every error in them."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for unit in written_units():
        path = folder / unit.notebook.name
        notebook = solution_notebook(unit)
        for cell in notebook.cells:
            cell.metadata.pop("tags", None)  # nbval lets a cell fail that is tagged so
        path.write_text(write_notebook(notebook), "utf-8")
        paths.append(path)
    return paths


def _wanted() -> dict[Path, str]:
    """The text of every file; a card that differs only by the rounding of another processor stays as it is."""
    wanted = dict(outputs())
    for path in CARDS.glob("*.json"):
        current = path.read_text("utf-8")
        if path in wanted and _same_card(current, wanted[path]):
            wanted[path] = current
    return wanted


def _same_card(current: str, fresh: str) -> bool:
    try:
        return equal_but_for_rounding(json.loads(current), json.loads(fresh))
    except json.JSONDecodeError:
        return False


def equal_but_for_rounding(left: object, right: object) -> bool:
    """Whether two values read from JSON differ at most in the last digit that cards keep."""
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and equal_but_for_rounding(list(left.values()), list(right.values()))
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal_but_for_rounding, left, right))
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=10**-DECIMALS, abs_tol=1.5 * 10**-DECIMALS)
    return type(left) is type(right) and left == right


def _left_over(wanted: dict[Path, str]) -> list[Path]:
    present = [*(ROOT / "notebooks").glob("*.ipynb"), *CARDS.glob("*.json"), *QUIZZES.glob("*.json")]
    return [path for path in present if path not in wanted]
