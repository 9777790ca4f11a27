"""What to look at when a student's function is called: each observer gives named outputs to compare."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from course_lib.checks.calling import call, named_outputs, require_tensor
from course_lib.checks.elsewhere import beside_the_answer
from course_lib.checks.finding import Finding
from course_lib.checks.loading import copied_weights, loaded_weights
from course_lib.checks.measured import read_number

Outputs = dict[str, object]
STEP = 1e-2


def values(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What the function returns."""
    copies = [_copy(value) for value in arguments.values()]
    return named_outputs(name, call(name, answer, copies, forbidden), outputs)


def numbers(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What a function of plain numbers returns: floats or tensors of one entry, to four digits."""
    returned = values(name, answer, arguments, outputs, forbidden)
    return {key: torch.tensor(read_number(key, value), dtype=torch.float32) for key, value in returned.items()}


def arguments_after(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What has become of the arguments: a function that changes them in place surprises its caller."""
    copies = [_copy(value) for value in arguments.values()]
    value, after = call_and_look_back(name, answer, copies, forbidden)
    named_outputs(name, value, outputs)
    return {f"the argument {key}, after the call,": value for key, value in zip(arguments, after, strict=True)}


@beside_the_answer
def call_and_look_back(
    name: str, answer: object, arguments: Sequence[object], forbidden: Sequence[str] = ()
) -> tuple[object, Sequence[object]]:
    """What a call returns, and its arguments after it."""
    return call(name, answer, arguments, forbidden), arguments


def dtypes(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """The dtype of each output."""
    returned = values(name, answer, arguments, outputs, forbidden)
    return {f"the dtype of {key}": str(require_tensor(key, value).dtype) for key, value in returned.items()}


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
    copies = {key: _copy(value) for key, value in arguments.items()}
    found = call_and_differentiate(name, answer, copies, outputs, forbidden)
    reached = {key: _arrives(gradient) for key, gradient in found.items()}
    if any(reached.values()):
        _require_true_gradient(name, answer, arguments, outputs, {key: found[key] for key in found if reached[key]})
    return {f"whether a gradient reaches {key}": arrives for key, arrives in reached.items()}


@beside_the_answer
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


def blocking(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What a mask of the shape of the weights does to them, whatever their exact values."""
    weights = require_tensor("weights", values(name, answer, arguments, outputs, forbidden)["weights"])
    mask = arguments["mask"]
    if weights.shape != mask.shape:
        raise Finding(f"weights has shape {tuple(weights.shape)}, expected {tuple(mask.shape)}, that of the mask")
    return {
        "the weight of the blocked key ": weights.masked_fill(~mask, 0.0),
        "weights.sum(-1)": weights.sum(-1),
    }


@beside_the_answer
def memory(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """Whether an output is one of the arguments handed back, or lies in its memory."""
    copies = {key: _copy(value) for key, value in arguments.items()}
    returned = named_outputs(name, call(name, answer, list(copies.values()), forbidden), outputs)
    places = {value.untyped_storage().data_ptr() for value in copies.values() if isinstance(value, Tensor)}
    return {
        f"whether {key} is an argument handed back": _place(key, value) in places for key, value in returned.items()
    }


def _place(key: str, value: object) -> int | None:
    value = require_tensor(key, value)
    return value.untyped_storage().data_ptr() if value.layout == torch.strided else None


OBSERVERS = {
    "values": values,
    "numbers": numbers,
    "arguments after": arguments_after,
    "dtypes": dtypes,
    "gradients": gradients,
    "blocking": blocking,
    "memory": memory,
    "loaded weights": loaded_weights,
    "copied weights": copied_weights,
}


def _copy(value: object) -> object:
    return value.detach().clone() if isinstance(value, Tensor) else value


def _is_float(value: object) -> bool:
    return isinstance(value, Tensor) and value.is_floating_point()


def _weighted_sum(outputs: Sequence[Tensor]) -> Tensor:
    return sum((output * _weighting(output)).sum() for output in outputs)


def _weighting(output: Tensor) -> Tensor:
    count = torch.arange(output.numel(), dtype=output.dtype, device=output.device)
    return torch.cos(count).reshape(output.shape)
