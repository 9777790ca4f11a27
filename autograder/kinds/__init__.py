"""The kinds of exercise, each an Exam with the same face."""

from autograder.kinds.choose import ChooseExam, Option
from autograder.kinds.code import CodeCriterion, CodeExam
from autograder.kinds.counterexample import CounterexampleExam
from autograder.kinds.experiment import ExperimentExam, NumberCriterion
from autograder.kinds.ladder import LadderExam, Rung, RungCriterion, Slip
from autograder.kinds.module import ModuleCriterion, ModuleExam
from autograder.kinds.refusal import RefusalCriterion
from autograder.kinds.shapes import ShapesCriterion, ShapesExam
from autograder.kinds.student_tests import Bug, BugsCaught, NoFalseAlarm, StudentTestsExam
from autograder.kinds.trained import ShareCriterion, TrainedExam

__all__ = [
    "Bug",
    "BugsCaught",
    "ChooseExam",
    "CodeCriterion",
    "CodeExam",
    "CounterexampleExam",
    "ExperimentExam",
    "LadderExam",
    "ModuleCriterion",
    "ModuleExam",
    "NoFalseAlarm",
    "NumberCriterion",
    "Option",
    "RefusalCriterion",
    "Rung",
    "RungCriterion",
    "ShapesCriterion",
    "ShapesExam",
    "ShareCriterion",
    "Slip",
    "StudentTestsExam",
    "TrainedExam",
]
