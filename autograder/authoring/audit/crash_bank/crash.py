"""One answer that raises, compiled as a cell of the notebook that it would be written in."""

import inspect
import linecache
import math
import textwrap
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

from autograder.exam_types.exam import Exam
from autograder.exams import EXAMS, exams_of

FILE = "cell_1.py"  # as the student's shell names its cells
FIRST_WITH_MODULES, FIRST_WITH_FUNCTIONAL = 3, 5  # units whose notebooks import nn, and F


@dataclass(frozen=True)
class Crash:
    """`source` is a class, or the body of the function that the exercise asks for; `slug` names its explanation."""

    exercise: str
    slug: str
    source: str

    @property
    def id(self) -> str:
        return f"crash/{self.slug}"

    def answer(self) -> object:
        """The function or class, as an executed cell defines it."""
        exam = EXAMS[self.exercise]
        source = textwrap.dedent(self.source).strip() + "\n"
        if not source.startswith("class "):
            parameters = ", ".join(_bare(p) for p in inspect.signature(exam.reference).parameters.values())
            source = f"def {self.exercise}({parameters}):\n{textwrap.indent(source, '    ')}"
        linecache.cache[FILE] = len(source), None, source.splitlines(keepends=True), FILE
        names = _names_of_notebook(exam)
        exec(compile(source, FILE, "exec"), names)
        return names[self.exercise]


def _bare(parameter: inspect.Parameter) -> str:
    return str(parameter.replace(annotation=inspect.Parameter.empty))


def _names_of_notebook(exam: Exam) -> dict[str, object]:
    """What the cells before have defined: imports, and right answers to all other exercises."""
    unit = next(unit for unit in range(9) if any(exam is other for other in exams_of(f"{unit:02}")))
    names: dict[str, object] = {"__name__": "__main__", "torch": torch}
    if unit > 0:
        names["math"] = math
    if unit >= FIRST_WITH_MODULES:
        names["nn"] = nn
    if unit >= FIRST_WITH_FUNCTIONAL:
        names["F"] = F
    names |= {other.exercise: other.reference for other in EXAMS.values() if callable(other.reference)}
    return names | {f"{exam.exercise}Parts": exam.reference}  # a class whose constructor the notebook gives
