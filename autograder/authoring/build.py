"""What `course build` makes of sources: notebooks, cards for checks, quizzes, the list of exercises, the syllabus."""

import json
import math
from collections.abc import Iterator
from pathlib import Path

from autograder.authoring.exercise_index import exercise_list
from autograder.authoring.quizzes import QUIZZES, quiz_file
from autograder.authoring.syllabus_page import PAGE, syllabus_page
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.units import ROOT, written_units
from autograder.exams import EXAMS, UNITS
from course_lib.cards import DECIMALS
from course_lib.cards import FOLDER as CARDS
from course_lib.cards.exercise_index import LIST as EXERCISES
from course_lib.single_thread import one_thread


def outputs() -> Iterator[tuple[Path, str]]:
    """Every file that `course build` writes, with its text."""
    kinds, solutions = {}, {}
    for unit in written_units():
        solutions[unit] = solution_notebook(unit)
        yield unit.notebook, write_notebook(student_notebook(unit))
        with one_thread():  # several round differently
            cards = {exam.exercise: exam.card() for exam in UNITS[unit.id]}
        kinds |= {exercise: card["kind"] for exercise, card in cards.items()}
        yield CARDS / f"unit_{unit.id}.json", json.dumps(cards, ensure_ascii=False) + "\n"
        yield QUIZZES / f"unit_{unit.id}.json", quiz_file(unit)
    yield EXERCISES, exercise_list(solutions, kinds, EXAMS)
    yield PAGE, syllabus_page()


def stale_files() -> list[str]:
    """The files that a build would change or remove, as paths in the repository."""
    wanted = _wanted()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    return sorted(str(path.relative_to(ROOT)) for path in [*stale, *_left_over(wanted)])


def build() -> list[Path]:
    """Write every file, remove what no source makes any more, and return what was written."""
    wanted = _wanted()
    for path, text in wanted.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    for path in _left_over(wanted):
        path.unlink()
    return list(wanted)


def build_solutions(folder: Path) -> list[Path]:
    """Write the instructor notebooks into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for unit in written_units():
        path = folder / unit.notebook.name
        path.write_text(write_notebook(solution_notebook(unit)), "utf-8")
        paths.append(path)
    return paths


def _wanted() -> dict[Path, str]:
    """The text of every file; a card in which only a processor's rounding is new stays as it is."""
    wanted = dict(outputs())
    for path in CARDS.glob("*.json"):
        there = path.read_text("utf-8")
        if path in wanted and _same_card(there, wanted[path]):
            wanted[path] = there
    return wanted


def _same_card(there: str, made: str) -> bool:
    try:
        return equal_but_for_rounding(json.loads(there), json.loads(made))
    except json.JSONDecodeError:
        return False


def equal_but_for_rounding(one: object, other: object) -> bool:
    """Whether two values read from JSON differ at most in the last digit that cards keep."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and equal_but_for_rounding(list(one.values()), list(other.values()))
    if isinstance(one, list):
        return len(one) == len(other) and all(map(equal_but_for_rounding, one, other))
    if isinstance(one, float):
        return math.isclose(one, other, rel_tol=10**-DECIMALS, abs_tol=1.5 * 10**-DECIMALS)
    return one == other


def _left_over(wanted: dict[Path, str]) -> list[Path]:
    there = [*(ROOT / "notebooks").glob("*.ipynb"), *CARDS.glob("*.json"), *QUIZZES.glob("*.json")]
    return [path for path in there if path not in wanted]
