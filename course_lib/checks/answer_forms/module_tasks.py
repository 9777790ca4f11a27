"""What a check may ask of an object beside calling it: an attribute, and of a module its parameters and its mode."""

from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.remote_task import runs_in_student_process


@runs_in_student_process
def attribute(name: str, answer: object, path: str) -> object:
    """What is called `path` ("pe", "proj.weight") in the answer, or a Finding that it is missing."""
    value = answer
    for part in path.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            raise Finding(f"{name} has no {path}: assign self.{path} in __init__") from None
    return value


@runs_in_student_process
def state_of(name: str, module: nn.Module) -> dict[str, Tensor]:
    """Its parameters and buffers by name."""
    return dict(module.state_dict())


@runs_in_student_process
def load_state(name: str, module: nn.Module, state: dict[str, Tensor]) -> None:
    """Copy parameters and buffers by name; a Finding says which do not fit."""
    try:
        module.load_state_dict(state)
    except RuntimeError as error:
        raise Finding(f"{name} cannot take these parameters: {error}") from None


@runs_in_student_process
def parameters_of(name: str, module: nn.Module) -> list[tuple[str, Tensor]]:
    """Every parameter with its name."""
    return [(path, parameter.detach()) for path, parameter in module.named_parameters()]


@runs_in_student_process
def set_training(name: str, module: nn.Module, mode: bool) -> None:
    """Training mode, or eval mode."""
    module.train(mode)
