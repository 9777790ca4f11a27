"""What a call returns, and what becomes of its arguments."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from course_lib.checks.answer_forms.errors import error_raised
from course_lib.checks.answer_forms.module_tasks import set_training
from course_lib.checks.answer_forms.numbers import read_number
from course_lib.checks.finding import Finding
from course_lib.checks.remote_task import runs_in_student_process
from course_lib.checks.student_call import call, named_outputs, plain, require_tensor

Outputs = dict[str, object]


def values(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What the function returns."""
    copies = [copy(value) for value in arguments.values()]
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


def tensor_or_none(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What a function returns that may return None; without a tensor to look at, an empty one is."""
    returned = plain(call(name, answer, [copy(value) for value in arguments.values()], forbidden))
    nothing = returned is None
    return {"whether None is returned": nothing, outputs[0]: torch.zeros(0) if nothing else returned}


def values_in_training(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What a module returns in training mode, where dropout is at work."""
    set_training(name, answer, True)
    return values(name, answer, arguments, outputs, forbidden)


def arguments_after(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """What has become of the arguments: a function that changes them in place surprises its caller."""
    copies = [copy(value) for value in arguments.values()]
    value, after = call_and_look_back(name, answer, copies, forbidden)
    named_outputs(name, value, outputs)
    return {f"the argument {key}, after the call,": value for key, value in zip(arguments, after, strict=True)}


@runs_in_student_process
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


def refusal(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """Whether the function refuses its arguments, by an error of any type that says something."""
    error = error_raised(name, answer, [copy(value) for value in arguments.values()], None)
    return {"whether an error with a sentence is raised": error is not None and bool(error[1].strip())}


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


@runs_in_student_process
def memory(
    name: str,
    answer: object,
    arguments: Mapping[str, object],
    outputs: Sequence[str],
    forbidden: Sequence[str] = (),
) -> Outputs:
    """Whether an output is one of the arguments handed back, or lies in its memory."""
    copies = {key: copy(value) for key, value in arguments.items()}
    returned = named_outputs(name, call(name, answer, list(copies.values()), forbidden), outputs)
    places = {value.untyped_storage().data_ptr() for value in copies.values() if isinstance(value, Tensor)}
    return {
        f"whether {key} is an argument handed back": _place(key, value) in places for key, value in returned.items()
    }


def _place(key: str, value: object) -> int | None:
    value = require_tensor(key, value)
    return value.untyped_storage().data_ptr() if value.layout == torch.strided else None


def copy(value: object) -> object:
    return value.detach().clone() if isinstance(value, Tensor) else value
