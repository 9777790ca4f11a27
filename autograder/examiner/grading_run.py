"""One run of a submitted notebook in which every graded cell issues its verdict."""

from collections.abc import Callable

from nbformat import NotebookNode, from_dict

from autograder.course.cells import grade_id
from autograder.errors import CourseError
from autograder.exam_types.verdict import MIME, Verdict
from autograder.exam_types.verdict_recorder import recording_verdicts
from autograder.examiner.assignment import Limits
from autograder.examiner.notebook_runner import NotebookRun, Undefined, error_output
from autograder.exams import find_exam
from autograder.sandbox.kernel_process import WarmKernel
from course_lib.cards.observed import Kind, Observed
from course_lib.checks import Finding


class GradingRun(NotebookRun):
    """Verdicts by the name of the graded cell, each shown as the output of its cell."""

    def __init__(self, seed: str, new_kernel: Callable[[], WarmKernel], limits: Limits):
        super().__init__(new_kernel, limits)
        self.seed = seed
        self.verdicts: dict[str, Verdict] = {}

    def examine(self, cell: NotebookNode, exercise: str) -> None:
        verdict, problem = self._verdict(cell, exercise)
        if verdict is None:
            self.problems.append(f"{exercise} was not graded: the cell {grade_id(cell)} {problem}")
            cell.outputs = [error_output(f"{exercise} was not graded: a person will look at it")]
            return
        self.verdicts[grade_id(cell) or exercise] = verdict
        cell.outputs = [verdict_output(verdict)]

    def _verdict(self, cell: NotebookNode, exercise: str) -> tuple[Verdict | None, str]:
        """The one verdict that the graded cell issues, or None and what is wrong with the cell."""
        exam = find_exam(exercise)
        if exam is None:
            return None, "belongs to no exercise of this course"
        try:
            with recording_verdicts(self.seed) as recorder:
                self.execute(cell, check=lambda exercise, answer: None)  # the exam checks all of that and more
        except Undefined as error:
            return exam.unexamined(Observed(self.why_undefined(exercise, error), kind=Kind.STOPPED)), ""
        except Finding as finding:  # the answer cannot be looked up, or the kernel was lost
            return exam.unexamined(finding.observed), ""
        except CourseError:  # there is no kernel to be had, for which no answer is to blame
            raise
        except Exception as error:  # a bug in the graded cell or in an exam: a person must look
            return None, f"stopped with {type(error).__name__}: {error}"
        if [verdict.exercise for verdict in recorder.verdicts] != [exercise]:
            return None, "issued no verdict of its exercise, or more than one"
        return recorder.verdicts[0], ""


def verdict_output(verdict: Verdict) -> NotebookNode:
    """A verdict as the output of its graded cell."""
    data = {"text/plain": str(verdict), MIME: verdict.to_json()}
    output: NotebookNode = from_dict({"output_type": "display_data", "data": data, "metadata": {}})
    return output
