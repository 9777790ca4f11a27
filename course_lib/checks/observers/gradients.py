"""The gradients of the arguments of a call, and whether any reach the parameters of a module."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

import torch
from torch import Tensor, nn

from course_lib.checks.finding import Finding, Kind
from course_lib.checks.observers.registry import observer
from course_lib.checks.observers.return_values import values
from course_lib.checks.question import Outputs, Question
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs, require_tensor

STEP = 1e-2  # of the finite difference: large against the rounding of float32, small against curvature


@observer("gradients")
def gradients(question: Question) -> Outputs:
    """Whether a finite nonzero gradient reaches each argument; `detach` and `item` cut it off.

    A gradient is compared with finite differences of the function's own values, so that it cannot be made up.
    """
    computed = call_and_differentiate(
        question.exercise, question.answer, question.copies(), question.outputs, question.forbidden
    )
    arriving = {key: gradient for key, gradient in computed.items() if _arrives(gradient)}
    if arriving:
        _require_true_gradient(question, arriving)
    return {f"whether a gradient reaches {key}": key in arriving for key in computed}


@observer("gradient values")
def gradient_values(question: Question) -> Outputs:
    """The gradient of each argument that one reaches: where a branch is detached, it is not that of the reference."""
    try:
        computed = call_and_differentiate(question.exercise, question.answer, question.copies(), question.outputs)
    except Finding:
        return {}  # as one that changes its arguments in place: another criterion says so
    return {f"the gradient of {key}": gradient for key, gradient in computed.items() if _arrives(gradient)}


@observer("learning")
def learning(question: Question) -> Outputs:
    """The length of the gradient of a module's parameters, all taken together, and which parts it reaches."""
    try:
        squares = gradient_squares(question.exercise, question.answer, question.copies(), question.outputs)
    except Finding:
        return {}
    reached = {f"whether a gradient reaches self.{part}": square > 0 for part, square in squares.items()}
    return {"the length of the gradient of all parameters": torch.tensor(sum(squares.values()) ** 0.5), **reached}


@observer("partial learning")
def partial_learning(question: Question) -> Outputs:
    """The same, where a criterion of its own asks whether any gradient arrives at all."""
    learned = learning(question)
    return learned if any(reached is True for reached in learned.values()) else {}


@runs_in_student_process
def gradient_squares(
    name: str, answer: nn.Module, arguments: Mapping[str, object], outputs: Sequence[str]
) -> dict[str, float]:
    """The squared length of the gradient of each part's trainable parameters, which stay as they are."""
    returned = named_outputs(name, call(name, answer, list(arguments.values())), outputs)
    trained = {path: weight for path, weight in answer.named_parameters() if weight.requires_grad}
    computed = _differentiated(name, returned, list(trained.values()))
    squares = {path.partition(".")[0]: 0.0 for path in trained}
    for path, gradient in zip(trained, computed, strict=True):
        squares[path.partition(".")[0]] += 0.0 if gradient is None else float(gradient.square().sum())
    return squares


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
        raise Finding(
            "raised RuntimeError",
            detail=str(error).partition(" Hint:")[0],
            where=f"the gradient of {name}",
            kind=Kind.RAISED,
            error="RuntimeError",
        ) from None


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


def _require_true_gradient(question: Question, gradient: Mapping[str, Tensor]) -> None:
    """Take a small step along the gradient in both directions: the weighted sum of the outputs must rise with it."""
    name = question.exercise
    length = sum(float(part.double().square().sum()) for part in gradient.values()) ** 0.5
    sums = []
    for step in (STEP, -STEP):
        moved = {
            key: value + step / length * gradient[key].to(value.dtype)
            if key in gradient and _is_float(value)
            else value
            for key, value in question.arguments.items()
        }
        returned = values(replace(question, arguments=moved, forbidden=())).values()
        sums.append(_weighted_sum([value.detach() for value in returned if _is_float(value)]))
    slope = float(sums[0] - sums[1]) / (2 * STEP)
    if not abs(slope - length) <= 0.1 * length + 1e-3:
        raise Finding(
            f"the gradient of {name} is not that of its values: a small step along it changes the outputs by "
            f"{slope:.3g} for each unit of length",
            f"{length:.3g}",
            "is a part of the computation detached?",
        )


def _is_float(value: object) -> TypeGuard[Tensor]:
    return isinstance(value, Tensor) and value.is_floating_point()


def _weighted_sum(outputs: Sequence[Tensor]) -> Tensor:
    return sum(((output * _weighting(output)).sum() for output in outputs), start=torch.zeros(()))


def _weighting(output: Tensor) -> Tensor:
    count = torch.arange(output.numel(), dtype=output.dtype, device=output.device)
    return torch.cos(count).reshape(output.shape)
