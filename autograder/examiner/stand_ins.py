"""References that the examiner runs for a student's code, in the places of earlier answers that lost points."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor, nn

from autograder.examiner.callbacks import MOST_NUMBERS, bounded_memory
from autograder.sandbox.protocol.modules import recipe_of
from autograder.sandbox.protocol.nested import tensors_in
from course_lib.checks.answer_forms.configs import configured

Reference = Callable[..., Any]
LARGEST_INTEGER = 10_000  # in the arguments: how long a loop of a reference may be, which the student's code chooses


def description(reference: Reference) -> dict[str, object]:
    """What the student's process must know of it: the methods of a module, or the parameters of a function."""
    if _is_module(reference):
        methods = [name for name, value in vars(reference).items() if inspect.isfunction(value) and name[0] != "_"]
        return {"module": True, "names": methods}
    return {"module": False, "names": list(inspect.signature(reference).parameters)}


def run_reference(references: Mapping[str, Reference], order: Mapping[str, Any]) -> object:
    """Construct a module, call one or a function, or compute the gradients of that call, as the order says."""
    reference = references[order["stand in"]]
    _require_small(order)
    with bounded_memory(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(order["seed"])
        if not _is_module(reference):
            return _value_or_gradients(reference, order)
        sizes, named = order["constructor"]
        module = reference(*configured(sizes), **dict(zip(named, configured(list(named.values())), strict=True)))
        if "inputs" not in order:
            return recipe_of(module)
        return _value_or_gradients(_method(module, reference, order), order)


def _value_or_gradients(function: Reference, order: Mapping[str, Any]) -> object:
    inputs = order["inputs"]
    arguments, options, parameters = inputs
    given = {"parameters": parameters} if parameters else {}
    if "gradients" not in order:
        with torch.no_grad():
            return function(*arguments, **options, **given)
    tensors = list(tensors_in(inputs))
    exact = [tensor.requires_grad_() for tensor in tensors if tensor.is_floating_point()]
    with torch.enable_grad():
        outputs = tensors_in(function(*arguments, **options, **given))
    pairs = [
        (output, gradient)
        for output, gradient in zip(outputs, order["gradients"], strict=True)
        if gradient is not None and output.requires_grad
    ]
    if not pairs:
        return [None] * len(tensors)
    differentiable, gradients = zip(*pairs, strict=True)
    found = iter(torch.autograd.grad(differentiable, exact, gradients, allow_unused=True))
    return [next(found) if tensor.is_floating_point() else None for tensor in tensors]


class _Method(nn.Module):
    """A method of a module as a module of its own, since functional_call calls `forward` alone."""

    def __init__(self, module: nn.Module, method: Callable[..., object]):
        super().__init__()
        self.module, self._method = module, method

    def forward(self, *arguments: object, **options: object) -> object:
        return self._method(self.module, *arguments, **options)


def _method(module: nn.Module, reference: Reference, order: Mapping[str, Any]) -> Reference:
    """The method with the student's parameters, in the mode in which the student left the module."""
    methods = {name: value for name, value in vars(reference).items() if inspect.isfunction(value) and name[0] != "_"}
    called = _Method(module.train(order["training"] is True), methods[order["method"]])

    def run(*arguments: object, parameters: Mapping[str, Tensor], **options: object) -> object:
        exact = next((tensor.dtype for tensor in parameters.values()), None)
        module.to(exact)  # buffers too
        own = {f"module.{name}": tensor for name, tensor in parameters.items()}
        return torch.func.functional_call(called, own, arguments, options)

    return run


def _is_module(reference: Reference) -> bool:
    return inspect.isclass(reference) and issubclass(reference, nn.Module)


def _require_small(order: Mapping[str, object]) -> None:
    if sum(tensor.numel() for tensor in tensors_in(order)) > MOST_NUMBERS:
        raise ValueError(f"call our answer with at most {MOST_NUMBERS:,} numbers")
    if any(abs(number) > LARGEST_INTEGER for number in _integers({**order, "seed": 0})):
        raise ValueError(f"call our answer with sizes of at most {LARGEST_INTEGER:,}")


def _integers(value: object) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _integers(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _integers(part)
