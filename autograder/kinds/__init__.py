"""The kinds of exercise, each an Exam with the same face."""

from autograder.kinds.choose import ChooseExam, Option
from autograder.kinds.code import CodeCriterion, CodeExam
from autograder.kinds.counterexample import CounterexampleExam
from autograder.kinds.ladder import LadderExam, Rung, RungCriterion, Slip
from autograder.kinds.module import ModuleCriterion, ModuleExam
from autograder.kinds.refusal import RefusalCriterion
from autograder.kinds.shapes import ShapesCriterion, ShapesExam

__all__ = [
    "ChooseExam",
    "CodeCriterion",
    "CodeExam",
    "CounterexampleExam",
    "LadderExam",
    "ModuleCriterion",
    "ModuleExam",
    "Option",
    "RefusalCriterion",
    "Rung",
    "RungCriterion",
    "ShapesCriterion",
    "ShapesExam",
    "Slip",
]
