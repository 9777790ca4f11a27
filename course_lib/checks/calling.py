"""Ask a student's function: call it, and turn whatever goes wrong into a Finding in the student's own terms."""

import contextlib
import io
import linecache
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from course_lib.checks.finding import Finding, NotWritten

Outputs = dict[str, object]
_LIBRARIES = tuple(str(Path(module.__file__).parent) for module in (torch, traceback))


def call(name: str, answer: object, arguments: Sequence[object]) -> object:
    """answer(*arguments); an exception becomes a Finding that quotes the student's own line."""
    if answer is ... or answer is None:
        raise NotWritten(f"{name} is not written yet")
    if not callable(answer):
        raise Finding(f"{name} should be a function, but it is of type {type(answer).__name__}")
    try:
        # what the answer writes to stderr, a warning for example, is no error: nbgrader would count it as one
        with contextlib.redirect_stderr(io.StringIO()):
            return answer(*arguments)
    except Finding:
        raise
    except NotImplementedError:
        raise NotWritten(f"{name} is not written yet: replace `raise NotImplementedError()` with your code") from None
    except (Exception, SystemExit) as error:
        raise Finding(f"{name} raised {type(error).__name__}: {error}{_student_line(error)}") from None


def _student_line(error: BaseException) -> str:
    """Where it happened: the innermost line that is not a library's, without the checker's own frames."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    frames = [frame for frame in frames if not frame.filename.startswith(_LIBRARIES)]
    if not frames:
        return ""
    frame = frames[-1]
    line = linecache.getline(frame.filename, frame.lineno or 0).strip()
    return f"\nin line {frame.lineno} of the cell with {frame.name}: {line}" if line else ""


def named_outputs(name: str, value: object, names: Sequence[str]) -> Outputs:
    """What was returned, by name; a list does for a tuple."""
    wanted = names[0] if len(names) == 1 else f"({', '.join(names)})"
    if value is None:
        raise Finding(f"{name} returned nothing, expected {wanted}: does it end with `return`?")
    if len(names) == 1:
        return {names[0]: value}
    if not isinstance(value, tuple | list):
        raise Finding(f"{name} returned one {type(value).__name__}, expected {len(names)} values: {wanted}")
    if len(value) != len(names):
        raise Finding(f"{name} returned {len(value)} values, expected {len(names)}: {wanted}")
    return dict(zip(names, value, strict=True))


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
    return {f"the dtype of {key}": str(_tensor(key, value).dtype) for key, value in returned.items()}


def gradients(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """Whether a gradient, finite and not zero, reaches each argument: it does not through `detach` or `item`."""
    copies = {key: _copy(value, requires_grad=True) for key, value in arguments.items()}
    returned = named_outputs(name, call(name, answer, list(copies.values())), outputs)
    flowing = [value for key, value in returned.items() if _tensor(key, value).requires_grad]
    total = sum((output * _weighting(output)).sum() for output in flowing)
    leaves = {key: value for key, value in copies.items() if isinstance(value, Tensor) and value.requires_grad}
    found = [None] * len(leaves)
    if flowing:
        found = torch.autograd.grad(total, list(leaves.values()), allow_unused=True)
    return {
        f"whether a gradient reaches {key}": gradient is not None and bool(gradient.isfinite().all() and gradient.any())
        for key, gradient in zip(leaves, found, strict=True)
    }


def blocking(name: str, answer: object, arguments: Mapping[str, object], outputs: Sequence[str]) -> Outputs:
    """What a mask of the shape of the weights does to them, whatever their exact values."""
    weights = _tensor("weights", values(name, answer, arguments, outputs)["weights"])
    mask = arguments["mask"]
    if weights.shape != mask.shape:
        raise Finding(f"weights has shape {tuple(weights.shape)}, expected {tuple(mask.shape)}, that of the mask")
    return {
        "the weight of the blocked key ": weights.masked_fill(~mask, 0.0),
        "weights.sum(-1)": weights.sum(-1),
    }


OBSERVERS = {
    "values": values,
    "arguments after": arguments_after,
    "dtypes": dtypes,
    "gradients": gradients,
    "blocking": blocking,
}


def _tensor(name: str, value: object) -> Tensor:
    if not isinstance(value, Tensor):
        raise Finding(f"{name} should be a tensor, but it is of type {type(value).__name__}")
    return value


def _copy(value: object, requires_grad: bool = False) -> object:
    if not isinstance(value, Tensor):
        return value
    copy = value.detach().clone()
    return copy.requires_grad_(requires_grad and copy.is_floating_point())


def _weighting(output: Tensor) -> Tensor:
    count = torch.arange(output.numel(), dtype=output.dtype, device=output.device)
    return torch.cos(count).reshape(output.shape)
