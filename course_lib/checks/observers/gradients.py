"""The gradients of the arguments of a call, and whether any reach the parameters of a module."""

from collections.abc import Mapping, Sequence
from typing import TypeGuard

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.registry import observer
from course_lib.checks.question import Outputs, Question
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs, require_tensor


@observer("gradients")
def gradients(question: Question) -> Outputs:
    """Whether a finite nonzero gradient reaches each argument, and its values.

    `detach` and `item` cut it off, or a part of it: then the values are not those of the reference.
    """
    computed = call_and_differentiate(
        question.exercise, question.answer, question.copies(), question.outputs, question.forbidden
    )
    arriving = {key: gradient if _arrives(gradient) else None for key, gradient in computed.items()}
    reached = {f"whether a gradient reaches {key}": value is not None for key, value in arriving.items()}
    return reached | {f"the gradient of {key}": value for key, value in arriving.items()}


@observer("learning")
def learning(question: Question) -> Outputs:
    """The length of the gradient of a module's parameters, all taken together: a part that is cut off is missing."""
    length = gradient_length(question.exercise, question.answer, question.copies(), question.outputs)
    return {"the length of the gradient of all parameters": torch.tensor(length)}


@runs_in_student_process
def gradient_length(name: str, answer: nn.Module, arguments: Mapping[str, object], outputs: Sequence[str]) -> float:
    """The Euclidean norm over all trainable parameters, which stay as they are."""
    returned = named_outputs(name, call(name, answer, list(arguments.values())), outputs)
    computed = _differentiated(name, returned, [weight for weight in answer.parameters() if weight.requires_grad])
    return sum(float(gradient.square().sum()) for gradient in computed if gradient is not None) ** 0.5


@runs_in_student_process
def call_and_differentiate(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> dict[str, Tensor | None]:
    """The gradient of a weighted sum of all outputs with respect to each argument of floats."""
    leaves = {key: value.requires_grad_() for key, value in arguments.items() if _is_float(value)}
    returned = named_outputs(name, call(name, answer, list(arguments.values()), forbidden), outputs)
    return dict(zip(leaves, _differentiated(name, returned, list(leaves.values())), strict=True))


def _differentiated(name: str, returned: Outputs, leaves: Sequence[Tensor]) -> Sequence[Tensor | None]:
    """The gradient of a weighted sum of all outputs with respect to each of the leaves."""
    tensors = [require_tensor(key, value) for key, value in returned.items()]
    flowing = [output for output in tensors if output.requires_grad and output.is_floating_point()]
    if not flowing or not leaves:
        return [None] * len(leaves)
    try:
        return torch.autograd.grad(_weighted_sum(flowing), leaves, allow_unused=True)
    except RuntimeError as error:
        raise Finding(f"the gradient of {name} cannot be computed", detail=str(error)) from None


@runs_in_student_process
def every_parameter_learns(name: str, answer: nn.Module, arguments: Sequence[object]) -> bool:
    """Whether a finite nonzero gradient reaches every parameter."""
    return call(name, _every_parameter_learns, (answer, arguments))


def _every_parameter_learns(module: nn.Module, arguments: Sequence[object]) -> bool:
    module.zero_grad()
    output = module(*arguments)
    if output.requires_grad:
        _weighted_sum([output]).backward()
    return all(_arrives(parameter.grad) for parameter in module.parameters())


def _arrives(gradient: object) -> TypeGuard[Tensor]:
    return type(gradient) is Tensor and bool(gradient.isfinite().all() and gradient.any())


def _is_float(value: object) -> TypeGuard[Tensor]:
    return isinstance(value, Tensor) and value.is_floating_point()


def _weighted_sum(outputs: Sequence[Tensor]) -> Tensor:
    return sum(((output * _weighting(output)).sum() for output in outputs), start=torch.zeros(()))


def _weighting(output: Tensor) -> Tensor:
    count = torch.arange(output.numel(), dtype=output.dtype, device=output.device)
    return torch.cos(count).reshape(output.shape)
