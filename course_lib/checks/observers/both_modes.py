"""What a module returns while training, where dropout acts, and afterwards, where it does not."""

from course_lib.checks.answer_forms.module_tasks import set_training
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question


@observer("values in both modes")
def values_in_both_modes(question: Question) -> Outputs:
    """The outputs in training mode and in eval mode; with a dropout of 1 neither is random."""
    returned: Outputs = {}
    for training, mode in ((True, "in training mode"), (False, "in eval mode")):
        set_training(question.exercise, question.answer, training)
        returned |= {f"{name} {mode}": value for name, value in values(question).items()}
    return returned
