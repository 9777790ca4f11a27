"""Grade one submission: a pure function of its bytes, the assignment and a seed; no database, no shared disk."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from nbformat import NotebookNode

from autograder.build import solution_notebook, student_notebook, write_notebook
from autograder.course import Unit
from autograder.examiner.conversation import Limits
from autograder.examiner.provisioner import new_manager
from autograder.examiner.sealed import grade_notebook
from autograder.submission import add_repairs, grade_id, is_answer, read_notebook, rebuild
from autograder.verdict import Verdict


@dataclass(frozen=True)
class Assignment:
    """What grading needs to know: the notebook as released, and as written, with its hidden tests."""

    unit: Unit
    released: bytes
    source: bytes
    sandbox: str = "bwrap"
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Graded:
    """The notebook with outputs and verdicts, and what became of it; `problems` are for the instructor's eye."""

    notebook: NotebookNode
    verdicts: dict[str, Verdict]
    repairs: Sequence[str]
    problems: Sequence[str]
    seconds: float


def grade_submission(data: bytes, assignment: Assignment, seed: str) -> Graded:
    """Raises Rejected if the file is not a notebook of this assignment."""
    start = time.monotonic()
    notebook, repairs = rebuild(read_notebook(data), read_notebook(assignment.released))
    whole = {grade_id(cell): cell for cell in read_notebook(assignment.source).cells if not is_answer(cell)}
    for cell in notebook.cells:
        if grade_id(cell) in whole and grade_id(cell) is not None:
            cell.source = whole[grade_id(cell)].source  # with its hidden tests or its mark scheme
    add_repairs(notebook, repairs)
    sealed = grade_notebook(
        notebook, seed, partial(new_manager, assignment.unit, assignment.sandbox), assignment.limits
    )
    return Graded(notebook, sealed.verdicts, repairs, sealed.problems, time.monotonic() - start)


def assignment_of(unit: Unit, sandbox: str = "bwrap", limits: Limits | None = None) -> Assignment:
    """The assignment as the repository has it, for grading without a class."""
    released, source = (write_notebook(make(unit)).encode() for make in (student_notebook, solution_notebook))
    return Assignment(unit, released, source, sandbox, limits or Limits())
