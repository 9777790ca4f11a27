"""What a student wrote: the answers by exercise and cells of their own, out of a graded notebook."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode, from_dict
from nbformat.v4.rwbase import rejoin_lines

from autograder.course.cells import grade_id, is_answer, is_graded_code, nbgrader_metadata
from autograder.course.submitted_notebook import read_repairs
from autograder.exam_types.verdict import MIME, Verdict
from autograder.outside_files import read_named

LARGEST = 250_000_000  # bytes: each cell may show a million characters


@dataclass(frozen=True)
class Answer:
    """`prose` says that it is Markdown, which a person reads."""

    source: str
    prose: bool


@dataclass(frozen=True)
class GradedNotebook:
    """`own` are the sources of code cells that the student added; `shown` is all that the student's cells hold.

    `verdicts` are by the name of the graded cell.
    """

    answers: Mapping[str, Answer]
    own: Sequence[str]
    shown: str
    verdicts: Mapping[str, Verdict]
    repairs: Sequence[str]


def read_graded_notebook(path: Path) -> GradedNotebook:
    """The file is our own, as grading wrote it, so it is not validated again; raises CourseError or ValueError."""
    notebook = rejoin_lines(from_dict(json.loads(read_named(path, LARGEST).decode("utf-8"))))
    students_cells = [cell for cell in notebook.cells if not nbgrader_metadata(cell).get("locked") or is_answer(cell)]
    return GradedNotebook(
        answers=answers_in(notebook),
        own=[cell.source for cell in students_cells if cell.cell_type == "code" and not nbgrader_metadata(cell)],
        shown=json.dumps([[cell.source, cell.get("outputs")] for cell in students_cells], ensure_ascii=False),
        verdicts=_shown_verdicts(notebook),
        repairs=read_repairs(notebook),
    )


def answers_in(notebook: NotebookNode) -> dict[str, Answer]:
    """The answers of a notebook, handed in or released, by exercise."""
    return {
        name: Answer(cell.source, cell.cell_type != "code")
        for cell in notebook.cells
        if is_answer(cell) and (name := grade_id(cell))
    }


def _shown_verdicts(notebook: NotebookNode) -> dict[str, Verdict]:
    """The verdicts that the examiner wrote into graded cells; what the student's kernel shows is never there."""
    verdicts: dict[str, Verdict] = {}
    for cell in filter(is_graded_code, notebook.cells):
        name = grade_id(cell)
        for output in cell.outputs:
            if name and MIME in output.get("data", {}):
                verdicts[name] = Verdict.from_json(output.data[MIME])
    return verdicts
