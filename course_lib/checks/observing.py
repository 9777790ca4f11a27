"""What to look at when a student's function is called: each observer gives named outputs to compare."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor, nn

from course_lib.checks.calling import call, named_outputs, require_tensor
from course_lib.checks.finding import Finding
from course_lib.checks.token_maps import TOKEN_MAPS

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


def on_token_maps(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """What is returned for each map named in `f`, with `x` and each row of `perm`."""
    found: Outputs = {}
    for title in arguments["f"]:
        for perm in arguments["perm"]:
            returned = call(name, answer, [TOKEN_MAPS[title], _copy(arguments["x"]), perm.clone()])
            value = named_outputs(name, returned, outputs)[outputs[0]]
            if isinstance(value, Tensor):
                value = f"a tensor of shape {tuple(value.shape)}"
            found[f"{name}(f, x, {perm.tolist()}) for f = {title}"] = value
    return found


def table_of_positions(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """The buffer `pe` of a module, and whether anything in it would be trained."""
    table, trained = call(name, _buffer_and_training, (answer, "pe"))
    if table is None:
        raise Finding(f"{name} has no buffer called pe: make it with self.register_buffer('pe', …) in __init__")
    return {"pe": table, "whether anything in it is trained": trained}


def _buffer_and_training(module: nn.Module, buffer: str) -> tuple[Tensor | None, bool]:
    return dict(module.named_buffers()).get(buffer), any(p.requires_grad for p in module.parameters())


def gradient_of_the_table(
    name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]
) -> Outputs:
    """Whether a gradient, finite and not zero, reaches every parameter of a module."""
    copies = [_copy(value) for value in arguments.values()]
    return {"whether a gradient reaches the table": call(name, _every_parameter_learns, (answer, copies))}


def _every_parameter_learns(module: nn.Module, arguments: Sequence[object]) -> bool:
    module.zero_grad()
    output = module(*arguments)
    if output.requires_grad:
        (output * _weighting(output)).sum().backward()
    gradients = [parameter.grad for parameter in module.parameters()]
    return all(g is not None and bool(g.isfinite().all() and g.any()) for g in gradients)


OBSERVERS = {
    "values": values,
    "arguments after": arguments_after,
    "dtypes": dtypes,
    "gradients": gradients,
    "blocking": blocking,
    "on token maps": on_token_maps,
    "table of positions": table_of_positions,
    "gradient of the table": gradient_of_the_table,
}


def _copy(value: object, requires_grad: bool = False) -> object:
    if not isinstance(value, Tensor):
        return value
    copy = value.detach().clone()
    return copy.requires_grad_(requires_grad and copy.is_floating_point())


def _weighting(output: Tensor) -> Tensor:
    count = torch.arange(output.numel(), dtype=output.dtype, device=output.device)
    return torch.cos(count).reshape(output.shape)
