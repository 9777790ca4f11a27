"""Sealed grading of one notebook: its graded cells run here, all others in the student's kernel."""

import builtins
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from jupyter_client.manager import KernelManager
from nbformat import NotebookNode
from nbformat.v4 import new_output

from autograder.examiner.conversation import Conversation, Limits, Lost
from autograder.exams import EXAMS
from autograder.sitting import sitting
from autograder.submission import grade_id, is_graded_code
from autograder.verdict import MIME, Verdict


class Undefined(Exception):
    """A graded cell asks for a name that the student's code does not define."""


class Namespace(dict):
    """Where a graded cell runs: a name that it did not define itself is the student's, looked up when it is used."""

    def __init__(self, look_up: Callable[[str], tuple[bool, object]]):
        super().__init__(check=lambda exercise, answer: None)  # the exam asks the same and more
        self._look_up = look_up

    def __missing__(self, name: str) -> object:
        if hasattr(builtins, name):
            raise KeyError(name)
        defined, value = self._look_up(name)
        if not defined:
            raise Undefined(name)
        return value


@dataclass
class Sealed:
    """`verdicts` by the name of the graded cell; `problems` are sentences for the instructor."""

    verdicts: dict[str, Verdict] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def grade_notebook(
    notebook: NotebookNode, seed: str, new_manager: Callable[[], KernelManager], limits: Limits
) -> Sealed:
    """Run the notebook, write outputs and verdicts into its cells, and return the verdicts.

    A cell that ends its kernel or runs too long costs itself: a new kernel runs the cells before it again.
    """
    return _Grading(seed, new_manager, limits).grade(notebook)


class _Grading:
    def __init__(self, seed: str, new_manager: Callable[[], KernelManager], limits: Limits):
        self._seed, self._new_manager, self._limits = seed, new_manager, limits
        self._conversation: Conversation | None = None
        self._deadline = time.monotonic() + limits.submission
        self._ran: list[str] = []
        self._errors: dict[str, str] = {}
        self._sealed = Sealed()

    def grade(self, notebook: NotebookNode) -> Sealed:
        try:
            for number, cell in enumerate(notebook.cells, 1):
                if cell.cell_type != "code":
                    continue
                cell.outputs, cell.execution_count = [], None
                if is_graded_code(cell):
                    self._examine(cell)
                elif cell.source.strip():
                    self._run(cell, grade_id(cell) or f"number {number}")
        finally:
            self._close()
        return self._sealed

    def _run(self, cell: NotebookNode, name: str) -> None:
        try:
            cell.outputs = self._kernel().run(cell.source)
            self._ran.append(cell.source)
            stopped = [_sentence(output) for output in cell.outputs if output.output_type == "error"]
        except Lost as lost:
            problem = f"the cell {name} {lost.reason}"
            cell.outputs = [*getattr(lost, "outputs", []), _error_output(problem)]
            self._sealed.problems.append(problem)
            stopped = [problem]
            self._close()
        if stopped:
            self._errors[name] = stopped[0]

    def _examine(self, cell: NotebookNode) -> None:
        name = grade_id(cell)
        exercise = name.removeprefix("test_")
        try:
            with sitting(self._seed) as sat:
                exec(compile(cell.source, name, "exec"), {}, Namespace(self._look_up))
            verdict = sat.verdicts[0] if [v.exercise for v in sat.verdicts] == [exercise] else None
            problem = "issued no verdict of its exercise"
        except (Undefined, Lost) as error:
            verdict, problem = self._unexamined(exercise, error), ""
        except Exception as error:  # a mistake in the graded cell or in an exam: a person must look
            verdict, problem = None, f"stopped with {type(error).__name__}: {error}"
        if self._conversation and self._conversation.lost:
            self._sealed.problems.append(f"grading {exercise}: its code {self._conversation.lost.reason}")
            self._close()
        if verdict is None:
            self._sealed.problems.append(f"{exercise} was not graded: the cell {name} {problem}")
            cell.outputs = [_error_output(f"{exercise} was not graded: a person will look at it")]
            return
        self._sealed.verdicts[name] = verdict
        cell.outputs = [new_output("display_data", {"text/plain": str(verdict), MIME: verdict.to_json()})]

    def _unexamined(self, exercise: str, error: Exception) -> Verdict | None:
        if exercise not in EXAMS:
            return None
        if isinstance(error, Lost):
            return EXAMS[exercise].unexamined(str(error))
        reason = self._errors.get(exercise, f"{error} is not defined: has its name been changed?")
        return EXAMS[exercise].unexamined(reason)

    def _look_up(self, name: str) -> tuple[bool, object]:
        return self._kernel().look_up(name)

    def _kernel(self) -> Conversation:
        """The student's kernel; if the last one was lost, a new one in which what ran before has run again."""
        if time.monotonic() > self._deadline:
            raise Lost(f"could not run: the limit of {self._limits.submission:g} s for a whole submission is used up")
        if self._conversation is None:
            self._conversation = Conversation(self._new_manager(), self._limits, self._deadline)
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
            self._conversation.close()
            self._conversation = None


def _sentence(error: NotebookNode) -> str:
    detail = error.evalue.strip().splitlines()[0][:300] if error.evalue.strip() else ""
    return f"the cell stopped with {error.ename}{': ' if detail else ''}{detail}"


def _error_output(problem: str) -> NotebookNode:
    return new_output("error", ename="NotGraded", evalue=problem, traceback=[problem])
