"""Names for a number: a size or a number among the arguments, its root, its inverse."""

import math
from collections.abc import Iterator, Mapping
from typing import TypeGuard

import torch
from torch import Tensor

from course_lib.checks.relations.pair import dim_name

NEAR = 2e-4
LARGEST = 1e30
SMALL = (-1.0, 2.0, 0.5)  # factors that are written as such more often than as a size


def words_for(factor: float, arguments: Mapping[str, object], unbiased: bool = True) -> list[str]:
    """The names of a factor in terms of the arguments, such as √q.shape[-1], and its digits, the likelier first."""
    names = [
        expression
        for name, value in _known(arguments)
        for expression, result in (*_powers(name, value), *(_unbiased(name, value) if unbiased else ()))
        if math.isclose(factor, result, rel_tol=NEAR)
    ]
    digits = written(factor)
    return [digits, *names] if any(abs(factor - small) < NEAR for small in SMALL) else [*names, digits]


def every_name(arguments: Mapping[str, object]) -> list[str]:
    """The names that a factor can have."""
    return [expression for name, value in _known(arguments) for expression, _ in _powers(name, value)]


def arguments_equal_to(number: float, arguments: Mapping[str, object]) -> list[str]:
    """The arguments that are this number."""
    return [name for name, value in arguments.items() if is_number(value) and math.isclose(number, value, rel_tol=NEAR)]


def written(number: float) -> str:
    """At most four digits, with a true minus sign."""
    return f"{number + 0.0:.4g}".replace("-", "−")


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is an ordinary number: not a boolean, not nan, and not huge."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST


def _known(arguments: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    for name, value in arguments.items():
        if is_number(value) and value not in (0, 1):
            yield name, value
        elif isinstance(value, Tensor):
            for axis, size in enumerate(value.shape):
                if size > 1:
                    yield f"{name}.shape[{dim_name(axis, value.ndim).removeprefix('dim=')}]", size
            if value.ndim > 1:
                yield f"{name}.numel()", value.numel()
            yield from _counts(name, value, arguments)


def _counts(name: str, ids: Tensor, arguments: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    """How many ids are not the one that another argument names, such as padding."""
    if not ids.is_floating_point() and ids.dtype is not torch.bool:
        for other, number in arguments.items():
            if type(number) is int and 0 < (count := int((ids != number).sum())) < ids.numel():
                yield f"({name} != {other}).sum()", count


def _powers(name: str, value: float | int) -> Iterator[tuple[str, float]]:
    if value > 0:
        yield f"√{name}", value**0.5
        yield f"1/√{name}", value**-0.5
    yield name, value
    yield f"1/{name}", 1 / value


def _unbiased(name: str, value: float | int) -> Iterator[tuple[str, float]]:
    """What divides a variance by n − 1 or by n, and a standard deviation."""
    if isinstance(value, int) and value > 2:
        unbiased = value / (value - 1)
        n = f"{name}/({name} − 1)"
        yield n, unbiased
        yield f"√({n})", unbiased**0.5
        yield f"1/({n})", 1 / unbiased
        yield f"1/√({n})", unbiased**-0.5
