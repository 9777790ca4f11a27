"""Follow-through marking: an exercise that uses earlier answers is not charged for their mistakes again.

Where an exercise lost points and uses an earlier answer that did too, it is examined once more with the reference in
the place of the earlier answer, and the better result counts. The reference runs in the examiner's process.
"""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import methodcaller

from nbformat import NotebookNode

from autograder.course.cells import TEST_PREFIX, exercise_of, grade_id, is_graded_code
from autograder.course.dependencies import cells_needed, earlier_answers_used
from autograder.exam_types import CodeExam, ExperimentExam, ModuleExam, TrainedExam
from autograder.exam_types.verdict import Verdict
from autograder.examiner.grading_run import GradingRun, verdict_output
from autograder.exams import find_exam

REPLACEABLE = (CodeExam, ModuleExam)  # what is called; the rest is data, which would be an answer in itself
# What code computes. A choice may not be made twice, and does not depend on other answers.
DEPENDENT = (CodeExam, ModuleExam, ExperimentExam, TrainedExam)


def follow_through(first: GradingRun, notebook: NotebookNode) -> bool:
    """Put better verdicts in the place of those of the first run; returns whether a limit of time was reached."""
    chains = _chains(first.verdicts, notebook)
    if not chains:
        return False
    again = _SecondRun(first, chains)
    again.run(_needed(notebook, chains))
    for exercise, used in chains.items():
        name = TEST_PREFIX + exercise
        verdict = again.verdicts.get(name)
        if verdict and verdict.score > first.verdicts[name].score:
            first.verdicts[name] = replace(
                verdict, stand_ins=tuple(answer for answer in used if answer in again.replaced)
            )
            cell = next(cell for cell in notebook.cells if grade_id(cell) == name)
            cell.outputs = [verdict_output(first.verdicts[name])]
    return again.timed_out


class _SecondRun(GradingRun):
    """Examines only the exercises in question, each with our answer for every earlier one that is wrong by itself."""

    def __init__(self, first: GradingRun, chains: Mapping[str, Sequence[str]]):
        super().__init__(first.seed, first.new_kernel, first.limits)
        self.deadline = first.deadline
        self._again = chains.keys()
        self._used = {answer for used in chains.values() for answer in used}
        self.replaced: set[str] = set()

    def examine(self, cell: NotebookNode, exercise: str) -> None:
        if exercise in self._again:
            super().examine(cell, exercise)
            self.leave_lost_kernel(exercise)
        verdict, exam = self.verdicts.get(grade_id(cell) or ""), find_exam(exercise)
        right_by_now = verdict is not None and verdict.score >= verdict.points
        if exam and exercise in self._used and not right_by_now:
            self.replaced.add(exercise)
            self.take(methodcaller("put_stand_in", exercise, exam.reference))


def _chains(verdicts: Mapping[str, Verdict], notebook: NotebookNode) -> dict[str, list[str]]:
    """The exercises to examine again, each with the earlier answers that it uses and that lost points."""
    lost = [exercise_of(name) for name, verdict in verdicts.items() if verdict.score < verdict.points]
    replaceable = {exercise for exercise in lost if isinstance(find_exam(exercise), REPLACEABLE)}
    chains: dict[str, list[str]] = {}
    for exercise in lost:
        if replaceable - {exercise} and isinstance(find_exam(exercise), DEPENDENT):
            used = [answer for answer in earlier_answers_used(notebook, exercise) if answer in replaceable]
            chains |= {exercise: used} if used else {}
    return chains


def _needed(notebook: NotebookNode, chains: Mapping[str, object]) -> NotebookNode:
    """A copy with only what the exercises need, and the graded cells: the rest would take its time once more."""
    needed = [cell for exercise in chains for cell in cells_needed(notebook, exercise)]
    cells = [cell for cell in notebook.cells if is_graded_code(cell) or any(cell is each for each in needed)]
    return copy.deepcopy(NotebookNode(notebook | {"cells": cells}))
