"""Whether gradients reach the arguments of a call, or the parameters of a module."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding
from course_lib.checks.observers.return_values import Outputs, copy, values
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs, require_tensor

STEP = 1e-2


def gradients(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """Whether a gradient, finite and not zero, reaches each argument: it does not through `detach` or `item`.

    A gradient counts only if the function's own values bear it out, so that one cannot be made up.
    """
    copies = {key: copy(value) for key, value in arguments.items()}
    found = call_and_differentiate(name, answer, copies, outputs, forbidden)
    reached = {key: _arrives(gradient) for key, gradient in found.items()}
    if any(reached.values()):
        _require_true_gradient(name, answer, arguments, outputs, {key: found[key] for key in found if reached[key]})
    return {f"whether a gradient reaches {key}": arrives for key, arrives in reached.items()}


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
    tensors = [require_tensor(key, value) for key, value in returned.items()]
    flowing = [output for output in tensors if output.requires_grad and output.is_floating_point()]
    if not flowing:
        return dict.fromkeys(leaves)
    try:
        found = torch.autograd.grad(_weighted_sum(flowing), list(leaves.values()), allow_unused=True)
    except RuntimeError as error:
        raise Finding(f"the gradient of {name} cannot be computed: {error}") from None
    return dict(zip(leaves, found, strict=True))


def gradient_of_the_table(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """Whether a gradient, finite and not zero, reaches every parameter of a module."""
    copies = [copy(value) for value in arguments.values()]
    return {"whether a gradient reaches the table": every_parameter_learns(name, answer, copies)}


@runs_in_student_process
def every_parameter_learns(name: str, answer: nn.Module, arguments: Sequence[object]) -> bool:
    """Whether a gradient, finite and not zero, reaches every parameter."""
    return call(name, _every_parameter_learns, (answer, arguments))


def _every_parameter_learns(module: nn.Module, arguments: Sequence[object]) -> bool:
    module.zero_grad()
    output = module(*arguments)
    if output.requires_grad:
        _weighted_sum([output]).backward()
    return all(_arrives(parameter.grad) for parameter in module.parameters())


def _arrives(gradient: object) -> bool:
    return type(gradient) is Tensor and bool(gradient.isfinite().all() and gradient.any())


def _require_true_gradient(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    gradient: Mapping[str, Tensor],
) -> None:
    """Take a small step along the gradient in both directions: the weighted sum of the outputs must rise with it."""
    length = sum(float(part.double().square().sum()) for part in gradient.values()) ** 0.5
    sums = []
    for step in (STEP, -STEP):
        moved = {
            key: value + step / length * gradient[key].to(value.dtype) if key in gradient else value
            for key, value in arguments.items()
        }
        returned = values(name, answer, moved, outputs).values()
        sums.append(_weighted_sum([value.detach() for value in returned if _is_float(value)]))
    slope = float(sums[0] - sums[1]) / (2 * STEP)
    if not abs(slope - length) <= 0.1 * length + 1e-3:
        raise Finding(
            f"the gradient of {name} is not that of its values: a small step along it changes the outputs by "
            f"{slope:.3g} for each unit of length, expected {length:.3g}: is a part of the computation detached?"
        )


def _is_float(value: object) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _weighted_sum(outputs: Sequence[Tensor]) -> Tensor:
    return sum((output * _weighting(output)).sum() for output in outputs)


def _weighting(output: Tensor) -> Tensor:
    count = torch.arange(output.numel(), dtype=output.dtype, device=output.device)
    return torch.cos(count).reshape(output.shape)
