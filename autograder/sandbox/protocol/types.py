"""The wire: values as frames of bytes, in a format that cannot carry code.

The first frame is JSON; a list in it is a tag and its parts. Tensors and arrays refer to the other frames, which hold
their bare numbers. Whatever is wrong with the frames of the other side is a WireError, found within stated bounds.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

MOST_BYTES = 32_000_000
LARGEST_TREE = 4_000_000  # bytes of JSON
DEEPEST = 32
MOST_NODES = 200_000
MOST_KEYS = 10_000  # in all dicts and sets together: with hashes chosen to collide, each is compared with each
MOST_REFERENCES = 1_000
LONGEST_NAME = 60

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128),
        *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    )
}
ARRAY_DTYPES = {
    np.dtype(name).str: np.dtype(name)
    for name in (
        *("bool", "float16", "float32", "float64", "complex64", "complex128"),
        *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    )
}


class WireError(Exception):
    """Why something cannot cross, or cannot be read."""


@dataclass(frozen=True)
class Reference:
    """An object that stays where it is: its number there, what it can do, and the name of its type.

    `names` are a function's parameters, or the methods of a module that may be called.
    """

    number: int
    kind: str  # "function", "module" or "object"
    type_name: str
    names: tuple[str, ...] = ()
    of_sender: bool = True


@dataclass(frozen=True)
class Recipe:
    """A module as data: the name of a class of torch.nn, what to construct it with, its children and its tensors."""

    name: str
    options: Mapping[str, object]
    children: Mapping[str, "Recipe"]
    state: Mapping[str, Tensor]
