"""What to look at when a student's function is called: each observer gives named outputs to compare."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from course_lib.checks.calling import call, named_outputs, require_tensor
from course_lib.checks.finding import Finding
from course_lib.checks.loading import copied_weights, loaded_weights

Outputs = dict[str, object]


def values(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """What the function returns."""
    copies = [_copy(value) for value in arguments.values()]
    return named_outputs(name, call(name, answer, copies), outputs)


def arguments_after(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """What has become of the arguments: a function that changes them in place surprises its caller."""
    copies = {key: _copy(value) for key, value in arguments.items()}
    call(name, answer, list(copies.values()))
    return {f"the argument {key}, after the call,": value for key, value in copies.items()}


def dtypes(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """The dtype of each output."""
    returned = values(name, answer, arguments, outputs)
    return {f"the dtype of {key}": str(require_tensor(key, value).dtype) for key, value in returned.items()}


def gradients(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """Whether a gradient, finite and not zero, reaches each argument: it does not through `detach` or `item`."""
    copies = {key: _copy(value, requires_grad=True) for key, value in arguments.items()}
    returned = named_outputs(name, call(name, answer, list(copies.values())), outputs)
    tensors = [require_tensor(key, value) for key, value in returned.items()]
    flowing = [output for output in tensors if output.requires_grad and output.is_floating_point()]
    leaves = {key: value for key, value in copies.items() if isinstance(value, Tensor) and value.requires_grad}
    found: Sequence[Tensor | None] = [None] * len(leaves)
    if flowing:
        total = sum((output * _weighting(output)).sum() for output in flowing)
        try:
            found = torch.autograd.grad(total, list(leaves.values()), allow_unused=True)
        except RuntimeError as error:
            raise Finding(f"the gradient of {name} cannot be computed: {error}") from None
    return {
        f"whether a gradient reaches {key}": gradient is not None and bool(gradient.isfinite().all() and gradient.any())
        for key, gradient in zip(leaves, found, strict=True)
    }


def blocking(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """What a mask of the shape of the weights does to them, whatever their exact values."""
    weights = require_tensor("weights", values(name, answer, arguments, outputs)["weights"])
    mask = arguments["mask"]
    if weights.shape != mask.shape:
        raise Finding(f"weights has shape {tuple(weights.shape)}, expected {tuple(mask.shape)}, that of the mask")
    return {
        "the weight of the blocked key ": weights.masked_fill(~mask, 0.0),
        "weights.sum(-1)": weights.sum(-1),
    }


def memory(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """Whether an output is one of the arguments handed back, or lies in its memory."""
    copies = {key: _copy(value) for key, value in arguments.items()}
    returned = named_outputs(name, call(name, answer, list(copies.values())), outputs)
    places = {value.untyped_storage().data_ptr() for value in copies.values() if isinstance(value, Tensor)}
    return {
        f"whether {key} is an argument handed back": _place(key, value) in places for key, value in returned.items()
    }


def _place(key: str, value: object) -> int | None:
    value = require_tensor(key, value)
    return value.untyped_storage().data_ptr() if value.layout == torch.strided else None


OBSERVERS = {
    "values": values,
    "arguments after": arguments_after,
    "dtypes": dtypes,
    "gradients": gradients,
    "blocking": blocking,
    "memory": memory,
    "loaded weights": loaded_weights,
    "copied weights": copied_weights,
}


def _copy(value: object, requires_grad: bool = False) -> object:
    if not isinstance(value, Tensor):
        return value
    copy = value.detach().clone()
    return copy.requires_grad_(requires_grad and copy.is_floating_point())


def _weighting(output: Tensor) -> Tensor:
    count = torch.arange(output.numel(), dtype=output.dtype, device=output.device)
    return torch.cos(count).reshape(output.shape)
