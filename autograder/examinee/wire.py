"""The wire: values as frames of bytes, in a format that cannot carry code.

The first frame is JSON; a list in it is a tag and its parts. Tensors and arrays refer to the other frames, which hold
their bare numbers. Whatever is wrong with the frames of the other side is a WireError, found within stated bounds.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
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


def pack(value: object, refer: Callable[[object], Reference | Recipe]) -> list[bytes]:
    """The frames of a value; `refer` gives a name or a recipe to an object that is not data."""
    packer = _Packer(refer)
    tree = json.dumps(packer.node(value, 0), ensure_ascii=True).encode()
    if len(tree) > LARGEST_TREE:
        raise WireError(
            f"the value takes {len(tree):,} bytes, and {LARGEST_TREE:,} are the most that can be handed over"
        )
    return [tree, *packer.frames]


def unpack(frames: Sequence[bytes | memoryview], resolve: Callable[[Reference | Recipe], object]) -> object:
    """The value in the frames; `resolve` gives the object that a reference stands for, or that a recipe makes."""
    try:
        return _unpack(frames, resolve)
    except WireError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError, RuntimeError) as error:
        raise WireError(f"the message cannot be read ({type(error).__name__})") from None


class _Packer:
    def __init__(self, refer: Callable[[object], Reference | Recipe]):
        self.frames: list[bytes] = []
        self._refer = refer
        self._nodes = self._bytes = 0

    def node(self, value: object, depth: int) -> object:
        self._nodes += 1
        if depth > DEEPEST or self._nodes > MOST_NODES:
            raise WireError("the value is nested too deeply, contains itself, or has too many parts")
        if value is None or value is True or value is False:
            return value
        if value is ...:
            return ["e"]
        kind = type(value)
        if issubclass(kind, np.generic | np.ndarray):
            return self._array(value)
        if issubclass(kind, int):
            return int.__int__(value)
        if issubclass(kind, float):
            return float.__float__(value)
        if issubclass(kind, str):
            return str.__str__(value)
        if issubclass(kind, complex):
            return ["c", value.real, value.imag]
        if issubclass(kind, Tensor):
            return self._tensor(value)
        if kind is torch.dtype:
            return ["k", str(value).removeprefix("torch.")]
        if kind is Recipe:
            parts = (value.options, value.children, value.state)
            return ["m", value.name, *(self.node(part, depth + 1) for part in parts)]
        if issubclass(kind, Mapping):
            pairs = [(self.node(key, depth + 1), self.node(value[key], depth + 1)) for key in list(value)]
            return ["d", *pairs]
        for tag, sequence in (("l", list), ("t", tuple), ("s", set | frozenset)):
            if issubclass(kind, sequence):
                return [tag, *(self.node(part, depth + 1) for part in value)]
        reference = self._refer(value)
        if isinstance(reference, Recipe):
            return self.node(reference, depth)
        owner = "mine" if reference.of_sender else "yours"
        name = reference.type_name[:LONGEST_NAME]
        return ["r", owner, reference.number, reference.kind, name, *reference.names]

    def _tensor(self, value: Tensor) -> list:
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

    def _array(self, value: np.ndarray | np.generic) -> list:
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
        if self._bytes > MOST_BYTES:
            raise WireError(f"the value takes more than {MOST_BYTES:,} bytes, the most that can be handed over")


def _unpack(frames: Sequence[bytes | memoryview], resolve: Callable[[Reference | Recipe], object]) -> object:
    if not frames or len(frames) > MOST_NODES:
        raise WireError("the message has no frames, or too many")
    frames = [bytes(frame) for frame in frames]
    if len(frames[0]) > LARGEST_TREE or sum(map(len, frames[1:])) > MOST_BYTES:
        raise WireError(f"the message has {sum(map(len, frames)):,} bytes, more than are read")
    return _Unpacker(frames[1:], resolve).value(json.loads(frames[0].decode("utf-8")), 0)


class _Unpacker:
    def __init__(self, frames: Sequence[bytes], resolve: Callable[[Reference | Recipe], object]):
        self._frames, self._resolve = frames, resolve
        self._nodes = self._bytes = self._keys = self._references = 0

    def value(self, node: object, depth: int) -> object:
        self._nodes += 1
        if depth > DEEPEST or self._nodes > MOST_NODES:
            raise WireError("the message is nested too deeply or has too many parts")
        if node is None or isinstance(node, bool | int | float | str):
            return node
        if not isinstance(node, list) or not node:
            raise WireError("the message has a part that is no value")
        tag, *parts = node
        self._keys += len(parts) if tag in ("d", "s") else 0
        self._references += tag in ("r", "o", "m")
        if self._keys > MOST_KEYS or self._references > MOST_REFERENCES:
            raise WireError("the message has too many keys or objects")
        match tag:
            case "e":
                return ...
            case "l":
                return [self.value(part, depth + 1) for part in parts]
            case "t":
                return tuple(self.value(part, depth + 1) for part in parts)
            case "s":
                return {self.value(part, depth + 1) for part in parts}
            case "d":
                return {self.value(key, depth + 1): self.value(part, depth + 1) for key, part in parts}
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
                return self._resolve(Recipe(_name(name), *(self.value(part, depth + 1) for part in rest)))
            case "o":
                return self._resolve(Reference(-1, "object", _name(parts[0])))
            case "r":
                owner, number, kind, name, *names = parts
                if kind not in ("function", "module", "object") or type(number) is not int or len(names) > 50:
                    raise WireError("the message has a reference that cannot be read")
                return self._resolve(Reference(number, kind, _name(name), tuple(map(_name, names)), owner == "mine"))
        raise WireError("the message has a part of no known kind")

    def _tensor(self, dtype: str, shape: list, frame: int) -> Tensor:
        kind = DTYPES[_text(dtype)]
        sizes, data = self._sizes(shape, frame, kind.itemsize)
        if kind is torch.bool:
            numbers = torch.from_numpy(np.frombuffer(data, np.uint8) != 0)
        elif data:
            numbers = torch.frombuffer(data, dtype=kind)
        else:
            return torch.empty(sizes, dtype=kind)
        return numbers.reshape(sizes).clone()  # not a view, which in-place operations would treat differently

    def _array(self, dtype: str, shape: list, frame: int) -> np.ndarray:
        kind = ARRAY_DTYPES[_text(dtype)]
        sizes, data = self._sizes(shape, frame, kind.itemsize)
        if kind.kind == "b":
            return (np.frombuffer(data, np.uint8) != 0).reshape(sizes)
        return np.frombuffer(data, kind).reshape(sizes).copy()

    def _sizes(self, shape: list, frame: int, itemsize: int) -> tuple[list[int], bytearray]:
        """The shape and its own copy of the bytes, counted: a message may name one frame many times."""
        if len(shape) > 16 or not all(type(size) is int and 0 <= size < 2**31 for size in shape):
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
    """A name of the other side's, safe to show."""
    return "".join(letter for letter in _text(value)[:LONGEST_NAME] if letter.isprintable())
