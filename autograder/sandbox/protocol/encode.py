"""Pack a value into the frames of a message."""

import json
from collections.abc import Callable, Collection, Mapping
from typing import TypeGuard, TypeVar

import numpy as np
import torch
from torch import Tensor

from .channel import MOST_FRAMES
from .types import (
    ARRAY_DTYPES,
    DEEPEST,
    DTYPES,
    LARGEST_TREE,
    LONGEST_NAME,
    MOST_BYTES,
    MOST_NODES,
    Recipe,
    Reference,
    WireError,
)

T = TypeVar("T")
COLLECTIONS: tuple[tuple[str, tuple[type[Collection[object]], ...]], ...] = (
    ("l", (list,)),
    ("t", (tuple,)),
    ("s", (set, frozenset)),
)


def pack(value: object, refer: Callable[[object], Reference | Recipe]) -> list[bytes]:
    """The frames of a value; `refer` turns an object that is not data into a reference or a recipe."""
    packer = _Packer(refer)
    tree = json.dumps(packer.node(value, 0), ensure_ascii=True).encode()
    if len(tree) > LARGEST_TREE:
        raise WireError(
            f"the value takes {len(tree):,} bytes, and {LARGEST_TREE:,} are the most that can be handed over"
        )
    return [tree, *packer.frames]


class _Packer:
    def __init__(self, refer: Callable[[object], Reference | Recipe]):
        self.frames: list[bytes] = []
        self._refer = refer
        self._nodes = self._bytes = 0

    def node(self, value: object, depth: int) -> object:  # noqa: C901, a branch for each type on the wire
        self._nodes += 1
        if depth > DEEPEST or self._nodes > MOST_NODES:
            raise WireError("the value is nested too deeply, contains itself, or has too many parts")
        if value is None or value is True or value is False:
            return value
        if value is ...:
            return ["e"]
        if _is_array(value):
            return self._array(value)
        if _is(value, int):
            return int.__int__(value)
        if _is(value, float):
            return float.__float__(value)
        if _is(value, str):
            return str.__str__(value)
        if _is(value, complex):
            return ["c", value.real, value.imag]
        if _is(value, Tensor):
            return self._tensor(value)
        if _is(value, torch.dtype):
            return ["k", str(value).removeprefix("torch.")]
        if _is(value, Recipe):
            parts = (value.options, value.children, value.state)
            return ["m", value.name, *(self.node(part, depth + 1) for part in parts)]
        if _is_mapping(value):
            pairs = [(self.node(key, depth + 1), self.node(value[key], depth + 1)) for key in list(value)]
            return ["d", *pairs]
        for tag, kinds in COLLECTIONS:
            if _is(value, *kinds):
                return [tag, *(self.node(part, depth + 1) for part in value)]
        reference = self._refer(value)
        if isinstance(reference, Recipe):
            return self.node(reference, depth)
        owner = "mine" if reference.of_sender else "yours"
        name = reference.type_name[:LONGEST_NAME]
        return ["r", owner, reference.number, reference.kind, name, *reference.names]

    def _tensor(self, value: Tensor) -> list[object]:
        with torch._C.DisableTorchFunctionSubclass():
            plain = value.detach()
            if plain.layout != torch.strided or plain.device.type != "cpu" or plain.is_quantized:
                return ["o", f"{plain.layout} tensor on {plain.device}".removeprefix("torch.")[:LONGEST_NAME]]
            plain = Tensor.as_subclass(plain, Tensor)
            dtype = str(plain.dtype).removeprefix("torch.")
            if dtype not in DTYPES:
                return ["o", f"tensor of {dtype}"[:LONGEST_NAME]]
            self._count(plain.numel() * plain.element_size())
            numbers = plain.resolve_conj().resolve_neg().contiguous().flatten()
            data = numbers.view(torch.uint8).numpy().tobytes() if numbers.numel() else b""
        self.frames.append(data)
        return ["x", dtype, list(plain.shape), len(self.frames) - 1]

    def _array(self, value: np.ndarray | np.generic) -> list[object]:
        array = np.asarray(value)
        array = array.astype(array.dtype.newbyteorder("=")) if not array.dtype.isnative else array
        if array.dtype.str not in ARRAY_DTYPES:
            return ["o", f"array of {array.dtype}"[:LONGEST_NAME]]
        self._count(array.nbytes)
        self.frames.append(array.tobytes())
        tag = "g" if isinstance(value, np.generic) else "a"
        return [tag, array.dtype.str, list(array.shape), len(self.frames) - 1]

    def _count(self, size: int) -> None:
        self._bytes += size
        if len(self.frames) + 1 >= MOST_FRAMES:
            raise WireError(f"the value has more than {MOST_FRAMES:,} tensors, the most that can be handed over")
        if self._bytes > MOST_BYTES:
            raise WireError(f"the value takes more than {MOST_BYTES:,} bytes, the most that can be handed over")


def _is(value: object, *kinds: type[T]) -> TypeGuard[T]:
    """Like isinstance, but by the real type: a student's class may lie about its `__class__`."""
    return issubclass(type(value), kinds)


def _is_array(value: object) -> TypeGuard[np.ndarray | np.generic]:
    return issubclass(type(value), np.ndarray | np.generic)


def _is_mapping(value: object) -> TypeGuard[Mapping[object, object]]:
    return issubclass(type(value), Mapping)
