"""The tensors in nested lists, tuples and dicts, in an order that is the same on both sides of a message."""

from collections.abc import Iterator

from torch import Tensor


def tensors_in(value: object) -> Iterator[Tensor]:
    """Every tensor, from left to right."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from tensors_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_in(part)


def with_tensors(value: object, tensors: Iterator[Tensor]) -> object:
    """The value with other tensors in the places of its own."""
    if isinstance(value, Tensor):
        return next(tensors)
    if isinstance(value, list | tuple):
        parts = [with_tensors(part, tensors) for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    if isinstance(value, dict):
        return {key: with_tensors(part, tensors) for key, part in value.items()}
    return value
