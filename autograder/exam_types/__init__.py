"""The kinds of exercise, each an Exam with the same face: criteria, misconceptions, accepted answers, a verdict.

May import: course, and course_lib.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

KINDS = (
    *("bug_hunt", "choice", "code", "counterexample", "derivation", "error_criterion", "experiment"),
    *("module", "shapes", "trained_model"),
)


def __getattr__(name: str) -> object:
    """Import the kinds when the first of them is used: they load torch, and a program that reads verdicts does not."""
    if name not in __all__:
        raise AttributeError(name)
    for kind in KINDS:
        module = import_module(f"{__name__}.{kind}")
        globals().update({public: getattr(module, public) for public in __all__ if hasattr(module, public)})
    return globals()[name]
