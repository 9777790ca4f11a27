"""The table in a module of positional encodings: where it is kept, and whether it is trained."""

from typing import TypeGuard

from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.gradients import every_parameter_learns
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question
from course_lib.checks.remote_task import runs_in_student_process

DEFAULT_LENGTH = 5000


@observer("position table")
def position_table(question: Question) -> Outputs:
    """The buffer `pe` of a module, and whether the module has trained parameters."""
    name = question.exercise
    table, instead, trained = buffer_and_training(name, question.answer, "pe")
    if table is None:
        raise Finding(instead, detail="make it with self.register_buffer('pe', …) in __init__", where=name)
    return {"pe": table, "whether anything in it is trained": trained}


@runs_in_student_process
def buffer_and_training(name: str, answer: nn.Module, buffer: str) -> tuple[Tensor | None, str, bool]:
    """The buffer of that name, what there is if there is none, and whether the module has anything to train."""
    buffers = dict(answer.named_buffers())
    trained = any(parameter.requires_grad for parameter in answer.parameters())
    return buffers.get(buffer), _instead(answer, buffer, list(buffers)), trained


def _instead(module: nn.Module, buffer: str, others: list[str]) -> str:
    if isinstance(getattr(module, buffer, None), nn.Parameter):
        return f"has {buffer} as a parameter"
    if any(isinstance(value, Tensor) for value in vars(module).values()):
        return "has its table as a plain attribute"
    if others:
        return f"has a buffer, but none called {buffer}"
    return f"has no buffer called {buffer}"


@observer("rows of the position table")
def rows_of_the_position_table(question: Question) -> Outputs:
    """What the module makes of the tokens, and of as many tokens as the reference has positions for, 5000."""
    x = question.argument("x", Tensor)
    longest = x.new_zeros(1, DEFAULT_LENGTH, x.shape[-1])
    returned = values(question.with_arguments(x=longest))
    last = {
        f"{name} at position {DEFAULT_LENGTH - 1}": value[:, -1:] for name, value in returned.items() if _is_long(value)
    }
    return values(question) | last


def _is_long(value: object) -> TypeGuard[Tensor]:
    return isinstance(value, Tensor) and value.ndim > 1


@observer("gradient of the position table")
def gradient_of_the_position_table(question: Question) -> Outputs:
    """Whether a finite nonzero gradient reaches every parameter of a module."""
    copies = list(question.copies().values())
    learns = every_parameter_learns(question.exercise, question.answer, copies)
    return {"whether a gradient reaches the table": learns}
