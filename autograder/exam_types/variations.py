"""Variations of a case: inputs on which an answer may fail that is right on the usual ones."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence

import torch
from torch import Tensor

from course_lib.checks.question import Outputs


def with_a_size_of_one(inputs: Sequence[object], fixed: Sequence[object] = ()) -> Iterator[list[object]]:
    """The inputs, cut down to the first entry along each dimension in turn, then along all: a stray `squeeze` shows.

    Dimensions of one size are the same dimension, since the sizes of a case differ. Sizes that are also numbers among
    the inputs, or that are `fixed`, stay.
    """
    tensors = [value for value in inputs if isinstance(value, Tensor)]
    numbers = {value for value in (*inputs, *fixed) if isinstance(value, int)}
    sizes = sorted({size for tensor in tensors for size in tensor.shape} - numbers - {1})
    for cut in (*([size] for size in sizes), *([sizes] if len(sizes) > 1 else [])):
        yield [_cut(value, cut) if isinstance(value, Tensor) else value for value in inputs]


def without_an_optional(function: Callable, arguments: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """The arguments, with each that may be None left at that: what is kept of an earlier call shows there."""
    parameters = inspect.signature(function).parameters
    for name, value in arguments.items():
        if isinstance(value, Tensor) and name in parameters and parameters[name].default is None:
            yield {**arguments, name: None}


def _cut(tensor: Tensor, sizes: Sequence[int]) -> Tensor:
    cut = tensor[tuple(slice(0, 1) if length in sizes else slice(None) for length in tensor.shape)]
    if cut.dtype == torch.bool and cut.ndim:
        cut = cut & ~cut.all(-1, keepdim=True)  # a query whose keys are all masked is a question of its own
    return cut.contiguous()


def is_judgeable(expected: Outputs) -> bool:
    """Whether the reference gives numbers that can be compared."""
    tensors = [value for value in expected.values() if isinstance(value, Tensor)]
    return all(bool(tensor.isfinite().all()) and tensor.numel() > 0 for tensor in tensors)
