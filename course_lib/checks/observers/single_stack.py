"""A model with one stack of blocks, part by part: what goes in, what becomes of it, what is read from it."""

from typing import cast

from torch import Tensor, nn

from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.stacked_blocks import first_input, with_first_input, with_last_output
from course_lib.checks.question import Outputs, Question

STACK = "blocks"


@observer("what goes into the blocks", in_student_process=True)
def what_goes_into_the_blocks(question: Question) -> Outputs:
    """What the first block gets."""
    name, model = question.exercise, cast(nn.Module, question.answer)
    return {"what the first block gets": first_input(name, model, STACK, lambda: model(*_inputs(question)))}


@observer("through the blocks", in_student_process=True)
def through_the_blocks(question: Question) -> Outputs:
    """The output, from numbers that the first block is given."""
    name, model = question.exercise, cast(nn.Module, question.answer)
    return {question.outputs[0]: with_first_input(name, model, STACK, lambda: model(*_inputs(question)))}


@observer("read from the blocks", in_student_process=True)
def read_from_the_blocks(question: Question) -> Outputs:
    """The output, from numbers that the last block gives."""
    name, model = question.exercise, cast(nn.Module, question.answer)
    return {question.outputs[0]: with_last_output(name, model, STACK, lambda: model(*_inputs(question)))}


def _inputs(question: Question) -> list[object]:
    return [value.clone() if isinstance(value, Tensor) else value for value in question.arguments.values()]
