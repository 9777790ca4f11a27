"""Run a notebook: its graded cells are examined here, all others run in the student's kernel."""

import builtins
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from nbformat import NotebookNode, from_dict

from autograder.course.cells import grade_id, is_graded_code
from autograder.course.safe_text import printable
from autograder.examiner.assignment import Limits
from autograder.examiner.session import Conversation, Lost
from autograder.sandbox.kernel_process import WarmKernel


class Undefined(Exception):
    """A graded cell asks for a name that the student's code does not define."""


class Namespace(dict):
    """Where a graded cell runs: a name that it did not define itself is the student's, looked up once."""

    def __init__(self, look_up: Callable[[str], tuple[bool, object]], check: Callable[[str, object], None]):
        super().__init__(check=check)
        self._look_up = look_up

    def __missing__(self, name: str) -> object:
        if hasattr(builtins, name):
            raise KeyError(name)
        defined, value = self._look_up(name)
        if not defined:
            raise Undefined(name)
        self[name] = value
        return value


class NotebookRun(ABC):
    """A cell that ends its kernel or runs too long costs itself: a new kernel runs the cells before it again.

    `problems` are sentences for the instructor, `errors` what stopped an answer's cell, by its name; `timed_out` says
    that a limit of time was reached.
    """

    def __init__(self, new_kernel: Callable[[], WarmKernel], limits: Limits):
        self.problems: list[str] = []
        self.errors: dict[str, str] = {}
        self.timed_out = False
        self._new_kernel, self._limits = new_kernel, limits
        self._conversation: Conversation | None = None
        self._deadline = time.monotonic() + limits.submission
        self._ran: list[str] = []

    @abstractmethod
    def examine(self, cell: NotebookNode, exercise: str) -> None:
        """Run a graded cell with `execute`, and note what comes of it."""

    def run(self, notebook: NotebookNode) -> None:
        """Run all cells in order and write their outputs into them."""
        try:
            for number, cell in enumerate(notebook.cells, 1):
                if cell.cell_type != "code":
                    continue
                cell.outputs, cell.execution_count = [], None
                if is_graded_code(cell):
                    exercise = grade_id(cell).removeprefix("test_")
                    self.examine(cell, exercise)
                    self._leave_lost_kernel(exercise)
                elif cell.source.strip():
                    self._run_cell(cell, grade_id(cell) or f"number {number}")
        finally:
            self._close()

    def execute(self, cell: NotebookNode, check: Callable[[str, object], None]) -> None:
        """Run a graded cell here."""
        exec(compile(cell.source, grade_id(cell), "exec"), {}, Namespace(self._look_up, check))

    def why_undefined(self, exercise: str, error: Undefined) -> str:
        return self.errors.get(exercise, f"{error} is not defined: has its name been changed?")

    def _run_cell(self, cell: NotebookNode, name: str) -> None:
        try:
            cell.outputs = self._kernel().run(cell.source)
            self._ran.append(cell.source)
            stopped = [_sentence(output) for output in cell.outputs if output.output_type == "error"]
        except Lost as lost:
            stopped = [f"the cell {name} {lost.reason}"]
            cell.outputs = [*lost.outputs, error_output(stopped[0])]
            self.problems += stopped
            self._close()
        if stopped:
            self.errors[name] = stopped[0]

    def _leave_lost_kernel(self, exercise: str) -> None:
        if self._conversation and self._conversation.lost:
            self.problems.append(f"grading {exercise}: its code {self._conversation.lost.reason}")
            self._ran.append(f"del {exercise}")  # or the cells that use it would hang one after another
            self._close()

    def _look_up(self, name: str) -> tuple[bool, object]:
        return self._kernel().look_up(name)

    def _kernel(self) -> Conversation:
        """The student's kernel; if the last one was lost, a new one in which what ran before has run again."""
        if time.monotonic() > self._deadline:
            self.timed_out = True
            raise Lost(f"could not run: the limit of {self._limits.submission:g} s for a whole submission is used up")
        if self._conversation is None:
            self._conversation = Conversation(self._new_kernel(), self._limits, self._deadline)
            try:
                for source in self._ran:
                    self._conversation.run(source)
            except Lost as lost:
                self._close()
                self._ran.clear()
                raise Lost(f"could not run: a cell before it, run again in a new kernel, {lost.reason}") from None
        return self._conversation

    def _close(self) -> None:
        if self._conversation is not None:
            self.timed_out |= self._conversation.timed_out
            self._conversation.close()
            self._conversation = None


def error_output(problem: str) -> NotebookNode:
    return from_dict({"output_type": "error", "ename": "NotGraded", "evalue": problem, "traceback": [problem]})


def _sentence(error: NotebookNode) -> str:
    detail = error.evalue.strip().splitlines()[0][:300] if error.evalue.strip() else ""
    detail = re.sub(r" \(\w+\.py, line (\d+)\)", r" in line \1", detail)
    return printable(f"the cell stopped with {error.ename[:60]}{': ' if detail else ''}{detail}")
