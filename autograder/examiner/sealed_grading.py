"""Sealed grading of one notebook: points come only from verdicts issued in the examiner's process."""

from collections.abc import Callable
from dataclasses import dataclass, field

from nbformat import NotebookNode

from autograder.exam_types.verdict import Verdict
from autograder.examiner.assignment import Limits
from autograder.examiner.follow_through import follow_through
from autograder.examiner.grading_run import GradingRun
from autograder.sandbox.kernel_process import WarmKernel


@dataclass
class Sealed:
    """`verdicts` by the name of the graded cell; `problems` are sentences for the instructor.

    `timed_out` says that a time limit was reached, so that more time might change the verdicts.
    """

    verdicts: dict[str, Verdict] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    timed_out: bool = False


def grade_notebook(notebook: NotebookNode, seed: str, new_kernel: Callable[[], WarmKernel], limits: Limits) -> Sealed:
    """Run the notebook, write outputs and verdicts into its cells, and return the verdicts."""
    grading = GradingRun(seed, new_kernel, limits)
    grading.run(notebook)
    timed_out = follow_through(grading, notebook) or grading.timed_out
    return Sealed(grading.verdicts, grading.problems, timed_out)
