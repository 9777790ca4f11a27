"""Grade one submission: a pure function of its bytes, the assignment and a seed; no database, no shared disk."""

import hashlib
import json
import time
from functools import lru_cache, partial

from nbformat import NotebookNode
from nbgrader import utils

from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.submitted_notebook import (
    add_repairs,
    grade_id,
    is_answer,
    is_graded_code,
    nbgrader_metadata,
    read_notebook,
    rebuild,
)
from autograder.course.units import Unit
from autograder.course.versions import versions
from autograder.examiner.assignment import Assignment, Limits, limits_of
from autograder.examiner.graded import Graded
from autograder.examiner.sealed_grading import grade_notebook
from autograder.sandbox.bubblewrap import bubblewrap
from autograder.sandbox.zygote_pool import new_kernel


def grade_submission(data: bytes, assignment: Assignment, seed: str) -> Graded:
    """Raises Rejected if the file is not a notebook of this assignment."""
    start = time.monotonic()
    notebook, repairs = rebuild(read_notebook(data), _read_once(assignment.released))
    whole = {grade_id(cell): cell for cell in _read_once(assignment.source).cells if not is_answer(cell)}
    for cell in notebook.cells:
        if grade_id(cell) in whole and grade_id(cell) is not None:
            cell.source = whole[grade_id(cell)].source  # with its hidden tests or its mark scheme
    add_repairs(notebook, repairs)
    kernels = partial(new_kernel, assignment.unit, assignment.sandbox)
    sealed = grade_notebook(notebook, seed, kernels, assignment.limits)
    return Graded(
        notebook=json.dumps(notebook, ensure_ascii=False),  # on one line: nobody reads it as text
        verdicts={name: sealed.verdicts.get(name) for name in map(grade_id, filter(is_graded_code, notebook.cells))},
        answered={grade_id(cell): not is_untouched(cell) for cell in notebook.cells if is_answer(cell)},
        repairs=repairs,
        problems=sealed.problems,
        seconds=round(time.monotonic() - start, 2),
        seed=seed,
        timed_out=sealed.timed_out,
        answers={grade_id(cell): _digest(cell.source) for cell in notebook.cells if is_answer(cell)},
        versions=versions(),
        bubblewrap=str(bubblewrap()) if assignment.sandbox == "bwrap" else "",
    )


@lru_cache(maxsize=8)
def _read_once(data: bytes) -> NotebookNode:
    """What is the same for a whole class; it may not be changed."""
    return read_notebook(data)


def is_untouched(cell: NotebookNode) -> bool:
    """Whether the answer is still what was released."""
    return nbgrader_metadata(cell).get("checksum") == utils.compute_checksum(cell)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def assignment_of(unit: Unit, sandbox: str = "bwrap", limits: Limits | None = None) -> Assignment:
    """The assignment as the repository has it, for grading without a class."""
    released, source = (write_notebook(make(unit)).encode() for make in (student_notebook, solution_notebook))
    return Assignment(unit, released, source, sandbox, limits or limits_of(unit))
