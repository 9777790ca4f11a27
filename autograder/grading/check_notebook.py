"""Check one notebook without a class by its visible checks, in a kernel such as JupyterLab would start for it."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

from autograder.course.cells import exercise_of, grade_id, is_graded_code
from autograder.course.submitted_notebook import rebuild
from autograder.course.units import Unit
from autograder.course.which_unit import read_any_notebook, unit_of_notebook
from autograder.examiner.assignment import limits_of
from autograder.grading.own_kernel import OwnKernel, Stopped, own_kernel
from course_lib.cards.session_outcomes import Outcome

IMPORT = "from course_lib.checks import check\n"  # whatever the student has done with the name
NOTED = "from course_lib.cards.session_outcomes import outcomes as _noted\nprint(_noted()[{!r}].name)"


@dataclass(frozen=True)
class Check:
    """What the visible check of an exercise says, or what kept it from saying anything."""

    exercise: str
    outcome: Outcome
    says: str = ""


def check_notebook(path: Path, seconds: float | None = None) -> list[Check]:
    """The visible check of every exercise, on the student's own machine and without a sandbox."""
    submitted = read_any_notebook(path)
    unit = unit_of_notebook(path, submitted)
    cells = rebuild(submitted, read_any_notebook(unit.notebook))[0].cells
    with ExitStack() as open_kernels:
        checking = _Checking(unit, limits_of(unit, seconds).cell, open_kernels)
        checks = [checking.run(cell, number) for number, cell in enumerate(cells, 1)]
    return [check for check in checks if check]


class _Checking:
    """A cell that ends its kernel or runs too long costs itself: a new kernel runs the cells before it again."""

    def __init__(self, unit: Unit, seconds: float, open_kernels: ExitStack):
        self._unit, self._seconds, self._open_kernels = unit, seconds, open_kernels
        self._kernel: OwnKernel | None = None
        self._ran: list[str] = []
        self._errors: dict[str, str] = {}

    def run(self, cell: NotebookNode, number: int) -> Check | None:
        """What the check says, if the cell is one."""
        if cell.cell_type != "code" or not cell.source.strip():
            return None
        name = grade_id(cell) or f"number {number}"
        if is_graded_code(cell):
            return self._check(cell.source, exercise_of(name))
        try:
            error = self._error_of(cell.source)
            self._ran.append(cell.source)
            if error:
                self._errors[name] = f"the cell stopped with {_in_a_line(error)}"
        except Stopped as stopped:
            self._errors[name] = f"the cell {name} {stopped}"
        return None

    def _check(self, source: str, exercise: str) -> Check:
        try:
            error = self._error_of(IMPORT + source)
        except Stopped as stopped:
            self._ran.append(f"del {exercise}")  # or the cells that use it would hang one after another
            return Check(exercise, Outcome.FAILS, f"its code {stopped}")
        if error is None:
            return Check(exercise, self._noted(exercise))
        if error.ename == "StubFound":
            return Check(exercise, Outcome.NOT_TRIED)
        if error.ename == "CheckFailed":
            return Check(exercise, Outcome.FAILS, error.evalue)
        undefined = f"{_in_a_line(error)}: has a name been changed?"
        return Check(exercise, Outcome.FAILS, self._errors.get(exercise, undefined))

    def _noted(self, exercise: str) -> Outcome:
        """How the kernel has noted a check that raised nothing."""
        printed = self._kernel.printed_by(NOTED.format(exercise)) if self._kernel else ""
        return Outcome.ANSWERED if printed.strip() == Outcome.ANSWERED.name else Outcome.PASSES

    def _error_of(self, source: str) -> NotebookNode | None:
        try:
            if self._kernel is None:
                self._kernel = self._open_kernels.enter_context(own_kernel(self._unit, self._seconds))
                for before in self._ran:
                    self._kernel.error_of(before)
            return self._kernel.error_of(source)
        except Stopped:
            self._kernel = None
            self._open_kernels.close()
            raise


def _in_a_line(error: NotebookNode) -> str:
    return " ".join(f"{error.ename}: {error.evalue}".split())[:300]
