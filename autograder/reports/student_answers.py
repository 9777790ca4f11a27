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
from autograder.gradebook.record import read_verdict


@dataclass(frozen=True)
class Answer:
    """`prose` says that it is Markdown, which a person reads."""

    source: str
    prose: bool


@dataclass(frozen=True)
class Written:
    """`own` are the sources of code cells that the student added; `shown` is all that the student's cells hold."""

    answers: Mapping[str, Answer]
    own: Sequence[str]
    shown: str
    verdicts: Mapping[str, Verdict]
    repairs: Sequence[str]


def read_written(path: Path) -> Written:
    """The file is our own, as grading wrote it, so it is not validated again; raises OSError or ValueError."""
    notebook = rejoin_lines(from_dict(json.loads(path.read_text("utf-8"))))
    theirs = [cell for cell in notebook.cells if not nbgrader_metadata(cell).get("locked") or is_answer(cell)]
    return Written(
        answers={grade_id(c): Answer(c.source, c.cell_type != "code") for c in notebook.cells if is_answer(c)},
        own=[cell.source for cell in theirs if cell.cell_type == "code" and not nbgrader_metadata(cell)],
        shown=json.dumps([[cell.source, cell.get("outputs")] for cell in theirs], ensure_ascii=False),
        verdicts=_shown_verdicts(notebook),
        repairs=read_repairs(notebook),
    )


def _shown_verdicts(notebook: NotebookNode) -> dict[str, Verdict]:
    """The verdicts that the examiner wrote into graded cells; what the student's kernel shows is never there."""
    verdicts = {}
    for cell in filter(is_graded_code, notebook.cells):
        for output in cell.outputs:
            if MIME in output.get("data", {}):
                verdicts[grade_id(cell).removeprefix("test_")] = read_verdict(output.data[MIME])
    return verdicts
