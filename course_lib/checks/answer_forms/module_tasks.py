"""Access to an answer other than a call: its attributes and, of a module, its parameters and its mode."""

from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.remote_task import runs_in_student_process


@runs_in_student_process
def attribute(name: str, answer: object, path: str) -> object:
    """The attribute at a path such as "pe" or "proj.weight", or a Finding that it is missing."""
    value = answer
    for part in path.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            raise Finding(f"has no {path}", detail=f"assign self.{path} in __init__", where=name) from None
    return value


@runs_in_student_process
def state_of(name: str, module: nn.Module) -> dict[str, Tensor]:
    """The parameters and buffers of the module, by name."""
    return dict(module.state_dict())


@runs_in_student_process
def load_state(name: str, module: nn.Module, state: dict[str, Tensor]) -> None:
    """Copy parameters and buffers by name; a Finding says which do not fit."""
    try:
        module.load_state_dict(state)
    except RuntimeError as error:
        raise Finding("cannot take these parameters", detail=str(error), where=name) from None


@runs_in_student_process
def parameters_of(name: str, module: nn.Module) -> list[tuple[str, Tensor]]:
    """Every parameter with its name."""
    return [(path, parameter.detach()) for path, parameter in module.named_parameters()]


@runs_in_student_process
def set_training(name: str, module: nn.Module, mode: bool) -> None:
    """Switch to training mode, or to eval mode."""
    module.train(mode)
