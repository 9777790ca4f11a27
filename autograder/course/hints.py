"""The exercises of a released notebook as its text presents them: order, numbers and titles of hints."""

import re
from dataclasses import dataclass

from nbformat import NotebookNode

from autograder.course.cells import exercise_of, grade_id, is_answer, is_graded_code

HEADING = re.compile(r"^#+ Exercise (\d+) · `(\w+)`", re.MULTILINE)
HINT = re.compile(r"<summary>\s*Hint (\d+): (.+?)</summary>")


@dataclass(frozen=True)
class Guide:
    """An exercise: its number in the notebook, and the title of each hint."""

    exercise: str
    number: int
    hints: dict[int, str]

    @property
    def title(self) -> str:
        return f"Exercise {self.number}"

    def number_of(self, title: str) -> int | None:
        return next((number for number, known in self.hints.items() if known == title), None)


def read_guides(released: NotebookNode) -> dict[str, Guide]:
    """The exercises of a notebook in its order; an exercise's hints are those between its heading and the next."""
    guides: dict[str, Guide] = {}
    last: Guide | None = None
    for cell in released.cells:
        if cell.cell_type == "markdown":
            if heading := HEADING.search(cell.source):
                last = guides.setdefault(heading[2], Guide(heading[2], int(heading[1]), {}))
            if last:
                last.hints.update({int(number): title.strip() for number, title in HINT.findall(cell.source)})
        name = grade_id(cell)
        if name and (is_answer(cell) or is_graded_code(cell)):
            exercise = exercise_of(name)
            guides.setdefault(exercise, Guide(exercise, len(guides) + 1, {}))
    return guides
