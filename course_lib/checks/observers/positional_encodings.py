"""The table in a module of positional encodings: where it is kept, and whether it is trained."""

from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.gradients import every_parameter_learns
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.remote_task import runs_in_student_process


@observer("position table")
def position_table(question: Question) -> Outputs:
    """The buffer `pe` of a module, and whether the module has trained parameters."""
    name = question.exercise
    table, trained = buffer_and_training(name, question.answer, "pe")
    if table is None:
        raise Finding(
            "has no buffer called pe", detail="make it with self.register_buffer('pe', …) in __init__", where=name
        )
    return {"pe": table, "whether anything in it is trained": trained}


@runs_in_student_process
def buffer_and_training(name: str, answer: nn.Module, buffer: str) -> tuple[Tensor | None, bool]:
    """The buffer of that name, and whether the module has anything to train."""
    return dict(answer.named_buffers()).get(buffer), any(p.requires_grad for p in answer.parameters())


@observer("gradient of the position table")
def gradient_of_the_position_table(question: Question) -> Outputs:
    """Whether a finite nonzero gradient reaches every parameter of a module."""
    copies = list(question.copies().values())
    learns = every_parameter_learns(question.exercise, question.answer, copies)
    return {"whether a gradient reaches the table": learns}
