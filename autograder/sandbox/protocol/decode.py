"""Unpack a message from the other side, which may hold anything: returns a value or raises a WireError."""

import json
import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from .types import (
    ARRAY_DTYPES,
    DEEPEST,
    DTYPES,
    KINDS,
    LARGEST_TREE,
    LONGEST_NAME,
    MOST_BYTES,
    MOST_DIMENSIONS,
    MOST_KEYS,
    MOST_NAMES,
    MOST_NODES,
    MOST_REFERENCES,
    Recipe,
    Reference,
    WireError,
)

T = TypeVar("T")


def unpack(frames: Sequence[bytes | memoryview], resolve: Callable[[Reference | Recipe], object]) -> object:
    """The value in the frames; `resolve` returns the object for a reference or a recipe."""
    try:
        return _unpack(frames, resolve)
    except WireError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError, RuntimeError) as error:
        raise WireError(f"the message cannot be read ({type(error).__name__})") from None


def _unpack(frames: Sequence[bytes | memoryview], resolve: Callable[[Reference | Recipe], object]) -> object:
    if not frames or len(frames) > MOST_NODES:
        raise WireError("the message has no frames, or too many")
    tree, *numbers = map(bytes, frames)
    if len(tree) > LARGEST_TREE or sum(map(len, numbers)) > MOST_BYTES:
        raise WireError(f"the message has {len(tree) + sum(map(len, numbers)):,} bytes, more than are read")
    return _Unpacker(numbers, resolve).value(json.loads(tree.decode("utf-8")), 0)


class _Unpacker:
    def __init__(self, frames: Sequence[bytes], resolve: Callable[[Reference | Recipe], object]):
        self._frames, self._resolve = frames, resolve
        self._nodes = self._bytes = self._keys = self._references = 0

    def value(self, node: object, depth: int) -> object:  # noqa: C901, a branch for each type on the wire
        self._nodes += 1
        if depth > DEEPEST or self._nodes > MOST_NODES:
            raise WireError("the message is nested too deeply or has too many parts")
        if node is None or isinstance(node, bool | int | float | str):
            return node
        if not isinstance(node, list) or not node:
            raise WireError("the message has a part that is no value")
        tag, *parts = node
        self._references += tag in ("r", "o", "m")
        if self._references > MOST_REFERENCES:
            raise WireError("the message has too many objects")
        match tag:
            case "e":
                return ...
            case "l":
                return [self.value(part, depth + 1) for part in parts]
            case "t":
                return tuple(self.value(part, depth + 1) for part in parts)
            case "s":
                return {self._key(part, depth + 1) for part in parts}
            case "d":
                return {self._key(key, depth + 1): self.value(part, depth + 1) for key, part in parts}
            case "c":
                return complex(*map(float, parts))
            case "k":
                return DTYPES[_text(parts[0])]
            case "x":
                return self._tensor(*parts)
            case "a":
                return self._array(*parts)
            case "g":
                return self._array(*parts)[()]
            case "m":
                name, *rest = parts
                options, children, state = (self.value(part, depth + 1) for part in rest)
                recipe = Recipe(
                    _name(name), _named(options, object), _named(children, nn.Module), _named(state, Tensor)
                )
                return self._resolve(recipe)
            case "o":
                return self._resolve(Reference(-1, "object", _name(parts[0])))
            case "r":
                owner, number, kind, name, *names = parts
                if kind not in KINDS or type(number) is not int or len(names) > MOST_NAMES:
                    raise WireError("the message has a reference that cannot be read")
                return self._resolve(Reference(number, kind, _name(name), tuple(map(_name, names)), owner == "mine"))
        raise WireError("the message has a part of no known kind")

    def _key(self, node: object, depth: int) -> object:
        """A key, or a member of a set: all of its parts count, since each may be compared with those of each other."""
        before = self._nodes
        key = self.value(node, depth)
        self._keys += self._nodes - before
        if self._keys > MOST_KEYS:
            raise WireError("the message has too many keys")
        return key

    def _tensor(self, dtype: str, shape: list[int], frame: int) -> Tensor:
        kind = DTYPES[_text(dtype)]
        sizes, data = self._sizes(shape, frame, kind.itemsize)
        if kind is torch.bool:
            numbers = torch.from_numpy(np.frombuffer(data, np.uint8) != 0)
        elif data:
            numbers = torch.frombuffer(data, dtype=kind)
        else:
            return torch.empty(sizes, dtype=kind)
        return numbers.reshape(sizes).clone()  # not a view, which in-place operations would treat differently

    def _array(self, dtype: str, shape: list[int], frame: int) -> np.ndarray:
        kind = ARRAY_DTYPES[_text(dtype)]
        sizes, data = self._sizes(shape, frame, kind.itemsize)
        if kind.kind == "b":
            return np.frombuffer(data, np.uint8).astype(bool).reshape(sizes)
        return np.frombuffer(data, kind).reshape(sizes).copy()

    def _sizes(self, shape: list[int], frame: int, itemsize: int) -> tuple[list[int], bytearray]:
        """The shape and a copy of the frame's bytes, counted each time: a message may name one frame many times."""
        if len(shape) > MOST_DIMENSIONS or not all(type(size) is int and 0 <= size < 2**31 for size in shape):
            raise WireError("the message has a shape that cannot be read")
        if type(frame) is not int or not 0 <= frame < len(self._frames):
            raise WireError("the message names a frame that it does not have")
        data = self._frames[frame]
        self._bytes += len(data)
        if len(data) != math.prod(shape) * itemsize or self._bytes > MOST_BYTES:
            raise WireError("the message has a tensor whose numbers do not fill its shape")
        return shape, bytearray(data)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise WireError("the message has something else where a name should stand")
    return value


def _name(value: object) -> str:
    """A name from the other side, cut and without control characters, so that it is safe to show."""
    return "".join(letter for letter in _text(value)[:LONGEST_NAME] if letter.isprintable())


def _named(value: object, kind: type[T]) -> dict[str, T]:
    """A part of a recipe: values of one kind by their names."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise WireError("the message has a module that cannot be read")
    if not all(isinstance(part, kind) for part in value.values()):
        raise WireError("the message has a module with parts of another kind")
    return value
