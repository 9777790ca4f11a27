"""Whether a call leaves its arguments as they were, however it changes them."""

import torch
from torch import Tensor

from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import call_and_look_back
from course_lib.checks.question import Outputs, Question
from course_lib.checks.student_call import named_outputs


@observer("untouched arguments")
def untouched_arguments(question: Question) -> Outputs:
    """For each tensor, whether the call changes it."""
    copies = list(question.copies().values())
    value, after = call_and_look_back(question.exercise, question.answer, copies, question.forbidden)
    named_outputs(question.exercise, value, question.outputs)
    pairs = zip(question.arguments.items(), after, strict=True)
    return {
        f"whether the call changes {name}": not (isinstance(now, Tensor) and torch.equal(now, before))
        for (name, before), now in pairs
        if isinstance(before, Tensor)
    }
