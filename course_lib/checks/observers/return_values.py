"""What a call returns, and what becomes of its arguments."""

from collections.abc import Sequence

import torch

from course_lib.checks.answer_forms.errors import error_raised
from course_lib.checks.answer_forms.module_tasks import set_training
from course_lib.checks.answer_forms.numbers import read_number
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs, plain, require_tensor


@observer("values")
def values(question: Question) -> Outputs:
    """What the function returns."""
    return question.ask(*question.copies().values())


@observer("numbers")
def numbers(question: Question) -> Outputs:
    """What a function of plain numbers returns: floats or tensors of one entry, to four digits."""
    returned = values(question)
    return {key: torch.tensor(read_number(key, value), dtype=torch.float32) for key, value in returned.items()}


@observer("tensor or None")
def tensor_or_none(question: Question) -> Outputs:
    """What a function returns that may return None; an empty tensor stands for None."""
    returned = plain(question.call(*question.copies().values()))
    nothing = returned is None
    return {"whether None is returned": nothing, question.outputs[0]: torch.zeros(0) if nothing else returned}


@observer("values in training")
def values_in_training(question: Question) -> Outputs:
    """What a module returns in training mode, where dropout is at work."""
    set_training(question.exercise, question.answer, True)
    return values(question)


@observer("effect of training mode")
def effect_of_training_mode(question: Question) -> Outputs:
    """Whether a module gives something else in training mode, where dropout is at work."""
    set_training(question.exercise, question.answer, True)
    training = values(question)
    set_training(question.exercise, question.answer, False)
    changes = any(not _same(training[name], value) for name, value in values(question).items())
    return {"whether the outputs change in training mode": changes}


def _same(one: object, other: object) -> bool:
    one, other = require_tensor("the output", one), require_tensor("the output", other)
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-3, atol=1e-4, equal_nan=True)


@observer("arguments after")
def arguments_after(question: Question) -> Outputs:
    """The arguments after the call: a function that changes them in place surprises its caller."""
    copies = list(question.copies().values())
    value, after = call_and_look_back(question.exercise, question.answer, copies, question.forbidden)
    named_outputs(question.exercise, value, question.outputs)
    return {f"the argument {key}, after the call,": value for key, value in zip(question.arguments, after, strict=True)}


@runs_in_student_process
def call_and_look_back(
    name: str, answer: object, arguments: Sequence[object], forbidden: Sequence[str] = ()
) -> tuple[object, Sequence[object]]:
    """What a call returns, and its arguments after it."""
    return call(name, answer, arguments, forbidden), arguments


@observer("dtypes")
def dtypes(question: Question) -> Outputs:
    """The dtype of each output."""
    return {f"the dtype of {key}": str(require_tensor(key, value).dtype) for key, value in values(question).items()}


@observer("refusal")
def refusal(question: Question) -> Outputs:
    """Whether the function refuses its arguments: it raises an error of any type, with a message."""
    error = error_raised(question.exercise, question.answer, list(question.copies().values()), None)
    raised = "no error" if error is None else "an error with a message" if error[1].strip() else "an error without one"
    return {"what is raised": raised}
