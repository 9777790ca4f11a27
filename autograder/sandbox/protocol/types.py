"""The wire format: a value as frames of bytes, with no pickle in it, so that reading a message runs no code.

The first frame is JSON; a list in it is a tag and its parts. Tensors and arrays refer to the other frames, which hold
their bare numbers. Malformed frames raise a WireError; the limits bound the time and memory that reading takes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

MOST_BYTES = 32_000_000  # of all tensors; with the JSON below the LARGEST message of a channel
LARGEST_TREE = 4_000_000  # bytes of JSON: 20 for each of MOST_NODES
DEEPEST = 32  # levels of nesting: a list that contains itself ends here, well before Python's recursion limit
MOST_NODES = 200_000  # parts of a value: they are read one by one, within a second
MOST_KEYS = 10_000  # with their parts, in all dicts and sets: where hashes are made to collide, each meets each
MOST_REFERENCES = 1_000  # objects of the other side in a message: each makes a proxy, or a class for one
KINDS = ("function", "module", "module in eval mode", "object")  # of what a reference stands for
MOST_NAMES = 50  # parameters of a function, or methods of a module
MOST_DIMENSIONS = 16  # of a tensor: more than any exercise has
LONGEST_NAME = 60  # characters of a type's or parameter's name, which messages to students quote

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
    """A value cannot be packed, or a message cannot be unpacked."""


@dataclass(frozen=True)
class Reference:
    """An object that stays in its process, by its number there.

    `names` are a function's parameters, or the methods of a module that may be called; `of_sender` says that the object
    is the sender's, and not one of the receiver's coming back.
    """

    number: int
    kind: str  # one of KINDS
    type_name: str
    names: tuple[str, ...] = ()
    of_sender: bool = True


@dataclass(frozen=True)
class Recipe:
    """A module as data: a class of torch.nn, its constructor's arguments, its children and its tensors.

    Unpacking resolves children first, so that those of a received recipe are modules already.
    """

    name: str
    options: Mapping[str, Any]  # of a constructor that is named at run time
    children: Mapping[str, "Recipe | nn.Module"]
    state: Mapping[str, Tensor]
