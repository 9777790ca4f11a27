"""Run a notebook: graded cells in the examiner's process, all others in the student's kernel."""

import builtins
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from operator import methodcaller

from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.course.cells import grade_id, is_graded_code
from autograder.course.safe_text import printable
from autograder.examiner.assignment import Limits
from autograder.examiner.session import Lost, Session
from autograder.sandbox.kernel_process import SandboxEnded, WarmKernel
from course_lib.checks import Finding

Step = Callable[[Session], object]  # what brought a kernel to where it is, to be taken again in a new one


class Undefined(Exception):
    """A graded cell uses a name that the student's code does not define."""


class Namespace(dict[str, object]):
    """The names of a graded cell: one that it does not define itself is looked up in the student's kernel, once."""

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
    """Recovers from a cell that ends its kernel or runs too long: a new kernel runs the cells before it again.

    `problems` are sentences for the instructor; `errors` has what stopped an answer's cell, by the cell's name;
    `timed_out` says that a time limit was reached. SandboxEnded is raised where a kernel went down with its zygote.
    """

    def __init__(self, new_kernel: Callable[[], WarmKernel], limits: Limits):
        self.problems: list[str] = []
        self.errors: dict[str, str] = {}
        self.timed_out = False
        self.new_kernel, self.limits = new_kernel, limits
        self._session: Session | None = None
        self.deadline = time.monotonic() + limits.submission
        self._ran: list[Step] = []

    @abstractmethod
    def examine(self, cell: NotebookNode, exercise: str) -> None:
        """Grade a cell by running it with `execute`, and write its outputs."""

    def run(self, notebook: NotebookNode) -> None:
        """Run all cells in order and write their outputs into them."""
        try:
            for number, cell in enumerate(notebook.cells, 1):
                if cell.cell_type != "code":
                    continue
                cell.outputs, cell.execution_count = [], None
                name = grade_id(cell) or f"number {number}"
                if is_graded_code(cell):
                    exercise = name.removeprefix("test_")
                    self.examine(cell, exercise)
                    self.leave_lost_kernel(exercise)
                elif cell.source.strip():
                    self._run_cell(cell, name)
        finally:
            self._close()

    def execute(self, cell: NotebookNode, check: Callable[[str, object], None]) -> None:
        """Run a graded cell in this process, with `check` as its visible check."""
        exec(compile(cell.source, grade_id(cell) or "graded cell", "exec"), {}, Namespace(self._look_up, check))

    def why_undefined(self, exercise: str, error: Undefined) -> str:
        return self.errors.get(exercise, f"{error} is not defined: has its name been changed?")

    def _run_cell(self, cell: NotebookNode, name: str) -> None:
        try:
            cell.outputs = self._kernel().run(cell.source)
            self._ran.append(methodcaller("run", cell.source))
            stopped = [_sentence(output) for output in cell.outputs if output.output_type == "error"]
        except Lost as lost:
            stopped = [f"the cell {name} {lost.reason}"]
            cell.outputs = [*lost.outputs, error_output(stopped[0])]
            self.problems += stopped
            self._close()
        if stopped:
            self.errors[name] = stopped[0]

    def leave_lost_kernel(self, exercise: str) -> None:
        """After a graded cell whose exercise ended the kernel: the next cell gets a new one."""
        if self._session and self._session.lost:
            self.problems.append(f"grading {exercise}: its code {self._session.lost.reason}")
            self._ran.append(methodcaller("run", f"del {exercise}"))  # or each later use would run into its time limit
            self._close()

    def take(self, step: Step) -> None:
        """Do something in the kernel besides running a cell; a new kernel does it too."""
        self._ran.append(step)
        try:
            step(self._kernel())
        except Finding:
            self._close()

    def _look_up(self, name: str) -> tuple[bool, object]:
        return self._kernel().look_up(name)

    def _kernel(self) -> Session:
        """The session with the student's kernel; after a loss, with a new one that has run the cells before again."""
        if time.monotonic() > self.deadline:
            self.timed_out = True
            raise Lost(f"could not run: the limit of {self.limits.submission:g} s for a whole submission is used up")
        if self._session is None:
            self._session = Session(self.new_kernel(), self.limits, self.deadline)
            try:
                for step in self._ran:
                    step(self._session)
            except Lost as lost:
                self._close()
                self._ran.clear()
                raise Lost(f"could not run: a cell before it, run again in a new kernel, {lost.reason}") from None
        return self._session

    def _close(self) -> None:
        if self._session is not None:
            left, self._session = self._session, None
            self.timed_out |= left.timed_out
            left.close()
            if left.sandbox_ended:
                raise SandboxEnded("the sandbox has ended")


def error_output(problem: str) -> NotebookNode:
    output: NotebookNode = new_output("error", ename="NotGraded", evalue=problem, traceback=[problem])
    return output


def _sentence(error: NotebookNode) -> str:
    detail = error.evalue.strip().splitlines()[0][:300] if error.evalue.strip() else ""
    detail = re.sub(r" \(\w+\.py, line (\d+)\)", r" in line \1", detail)
    return printable(f"the cell stopped with {error.ename[:60]}{': ' if detail else ''}{detail}")
