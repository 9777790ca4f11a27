"""The kinds of exercise, each an Exam with the same face: criteria, misconceptions, accepted answers, a verdict.

May import: course, and course_lib.
"""

from autograder.exam_types.bug_hunt import Bug, BugsCaught, NoFalseAlarm, StudentTestsExam
from autograder.exam_types.choice import ChooseExam, Option
from autograder.exam_types.code import CodeCriterion, CodeExam
from autograder.exam_types.counterexample import CounterexampleExam
from autograder.exam_types.derivation import LadderExam, Rung, RungCriterion, Slip
from autograder.exam_types.error_criterion import RefusalCriterion
from autograder.exam_types.experiment import ExperimentExam, NumberCriterion
from autograder.exam_types.module import ModuleCriterion, ModuleExam
from autograder.exam_types.shapes import ShapesCriterion, ShapesExam
from autograder.exam_types.trained_model import ShareCriterion, TrainedExam

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
