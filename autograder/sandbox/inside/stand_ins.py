"""Stand-ins for earlier answers: functions and classes whose work the examiner does with the reference.

Nothing of the reference is in this process. Gradients flow through a stand-in: the examiner computes them too.
"""

import inspect
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from course_lib.checks.answer_forms.configs import Config, config_data

from ..protocol.nested import tensors_in, with_tensors

Order = dict[str, object]
Ask = Callable[[Order], Any]
_seeds = itertools.count(1)


def stand_in(ask: Ask, name: str, is_module: bool, names: Sequence[str]) -> Callable[..., object]:
    """What takes the place of an answer; `names` are its parameters, or the methods of a module."""
    if is_module:
        return _module_class(ask, name, names)

    def function(*arguments: object, **options: object) -> object:
        return _run(ask, {"stand in": name}, arguments, options)

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__name__ = function.__qualname__ = name
    function.__signature__ = inspect.Signature([inspect.Parameter(each, kind) for each in names])  # type: ignore[attr-defined]
    return function


def _module_class(ask: Ask, name: str, methods: Sequence[str]) -> type[nn.Module]:
    """A class whose modules own their parameters, as the reference's do, and whose methods run at the examiner's."""

    def construct(self: Any, *arguments: object, **options: object) -> None:
        nn.Module.__init__(self)
        self._order = {"stand in": name, "constructor": [_plain(arguments), _plain(options)]}
        built = ask(self._order | {"seed": next(_seeds)})
        for key, parameter in built.named_parameters(recurse=False):
            self.register_parameter(key, parameter)
        for key, child in built.named_children():
            self.add_module(key, child)
        for key, value in vars(built).items():
            if not key.startswith("_") and key != "training":
                setattr(self, key, value)
        self._own = [key for key, _ in built.named_parameters(remove_duplicate=False)]

    def method(called: str) -> Callable[..., object]:
        def run(self: Any, *arguments: object, **options: object) -> object:
            parameters = dict(self.named_parameters(remove_duplicate=False))
            order = self._order | {"method": called, "training": self.training}
            return _run(ask, order, arguments, options, {key: parameters[key] for key in self._own})

        return run

    return type(name, (nn.Module,), {"__init__": construct} | {called: method(called) for called in methods})


def _plain(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return config_data(value) if isinstance(value, Config) else value


def _run(
    ask: Ask,
    order: Order,
    arguments: Sequence[object],
    options: Mapping[str, object],
    parameters: Mapping[str, Tensor] | None = None,
) -> object:
    inputs = [list(arguments), dict(options), dict(parameters or {})]
    call = _Call(ask, order | {"seed": next(_seeds)}, inputs)
    tensors = list(tensors_in(inputs))
    if not (torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)):
        return call.value(tensors)
    outputs = _Differentiable.apply(call, *tensors)  # type: ignore[no-untyped-call]  # torch has no types here
    return with_tensors(call.returned, iter(outputs))


class _Call:
    """One call, which the examiner repeats to compute gradients: it keeps nothing in between."""

    def __init__(self, ask: Ask, order: Order, inputs: object):
        self._ask, self._order, self._inputs = ask, order, inputs
        self.returned: object = None

    def value(self, tensors: Sequence[Tensor]) -> object:
        self.returned = self._ask(self._order | {"inputs": with_tensors(self._inputs, iter(tensors))})
        return self.returned

    def gradients(self, tensors: Sequence[Tensor], of_outputs: Sequence[Tensor | None]) -> Sequence[Tensor | None]:
        inputs = with_tensors(self._inputs, iter(tensors))
        answer: Sequence[Tensor | None] = self._ask(self._order | {"inputs": inputs, "gradients": list(of_outputs)})
        return answer


class _Differentiable(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, call: _Call, *tensors: Tensor) -> tuple[Tensor, ...]:
        outputs = tuple(tensors_in(call.value(tensors)))
        ctx.call = call
        ctx.save_for_backward(*tensors)
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*(output for output in outputs if not output.is_floating_point()))
        return outputs

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *of_outputs: Tensor | None) -> tuple[Tensor | None, ...]:
        return None, *ctx.call.gradients(ctx.saved_tensors, of_outputs)
