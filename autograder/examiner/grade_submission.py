"""Grade one submission: a pure function of its bytes, the assignment and a seed; no database, no shared disk."""

import hashlib
import json
import time
from collections.abc import Iterable
from functools import lru_cache, partial

from nbformat import NotebookNode
from nbgrader import utils

from autograder.course.cells import grade_id, is_answer, is_graded_code, nbgrader_metadata
from autograder.course.notebooks import solution_notebook, student_notebook, write_notebook
from autograder.course.submitted_notebook import add_repairs, read_notebook, rebuild
from autograder.course.units import Unit
from autograder.course.versions import versions
from autograder.examiner.assignment import Assignment, Limits, limits_of
from autograder.examiner.graded import Graded
from autograder.examiner.sealed_grading import grade_notebook
from autograder.sandbox.bubblewrap import bubblewrap
from autograder.sandbox.zygote_pool import new_kernel


def grade_submission(data: bytes, assignment: Assignment, seed: str) -> Graded:
    """Rebuild the notebook on its release, run it and collect verdicts; raises Rejected if it is of no use."""
    start = time.monotonic()
    notebook, repairs = rebuild(read_notebook(data), _read_once(assignment.released))
    full = _by_name(cell for cell in _read_once(assignment.source).cells if not is_answer(cell))
    cells = _by_name(notebook.cells)
    for name in cells.keys() & full.keys():
        cells[name].source = full[name].source  # with its hidden tests or its mark scheme
    add_repairs(notebook, repairs)
    kernels = partial(new_kernel, assignment.unit, assignment.sandbox)
    sealed = grade_notebook(notebook, seed, kernels, assignment.limits)
    answers = {name: cell for name, cell in cells.items() if is_answer(cell)}
    return Graded(
        notebook=json.dumps(notebook, ensure_ascii=False),  # on one line, since only programs read it
        verdicts={name: sealed.verdicts.get(name) for name, cell in cells.items() if is_graded_code(cell)},
        answered={name: not is_untouched(cell) for name, cell in answers.items()},
        repairs=repairs,
        problems=sealed.problems,
        seconds=round(time.monotonic() - start, 2),
        seed=seed,
        timed_out=sealed.timed_out,
        answers={name: _digest(cell.source) for name, cell in answers.items()},
        versions=versions(),
        bubblewrap=str(bubblewrap()) if assignment.sandbox == "bwrap" else "",
    )


@lru_cache(maxsize=8)
def _read_once(data: bytes) -> NotebookNode:
    """A notebook that all submissions share: cached, so nobody may change it."""
    return read_notebook(data)


def is_untouched(cell: NotebookNode) -> bool:
    """Whether the answer is still as released, by nbgrader's checksum."""
    return bool(nbgrader_metadata(cell).get("checksum") == utils.compute_checksum(cell))


def _by_name(cells: Iterable[NotebookNode]) -> dict[str, NotebookNode]:
    return {name: cell for cell in cells if (name := grade_id(cell)) is not None}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def assignment_of(unit: Unit, sandbox: str = "bwrap", limits: Limits | None = None) -> Assignment:
    """The assignment built from the repository's sources, for grading without a class."""
    released, source = (write_notebook(make(unit)).encode() for make in (student_notebook, solution_notebook))
    return Assignment(unit, released, source, sandbox, limits or limits_of(unit))
