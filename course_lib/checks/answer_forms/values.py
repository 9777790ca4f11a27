"""The form of answers that are values: shape sheets, choices and tensors that refute a claim."""

import re
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from course_lib.cards.shape_algebra import Shape, parse_shape, shape_sizes
from course_lib.checks.finding import NotReadable, NotWritten

LONGEST_SIDE = 1_000


def read_sheet(name: str, answer: object, tensors: Sequence[str], dimensions: Sequence[str]) -> dict[str, Shape]:
    """The parsed shape of each tensor, or a Finding about the first entry that cannot be read."""
    if answer is ... or answer is None:
        raise NotWritten(f"{name} is not filled in yet")
    if not isinstance(answer, Mapping):
        raise NotReadable(
            f"should be a dict from tensor names to shapes, but it is of type {type(answer).__name__}", where=name
        )
    if missing := [tensor for tensor in tensors if tensor not in answer]:
        names = ", ".join(map(str, answer)) or "nothing"
        raise NotReadable(
            f"has no entry for {', '.join(missing)}; its entries are {names:.200}",
            detail="put the names back",
            where=name,
        )
    if all(answer[tensor] in (None, ..., "") for tensor in tensors):
        raise NotWritten(f"{name} is not filled in yet: replace each `...` with dimension names")
    return {tensor: _read_entry(name, answer, tensor, dimensions) for tensor in tensors}


def _read_entry(name: str, sheet: Mapping, tensor: str, dimensions: Sequence[str]) -> Shape:
    entry = sheet.get(tensor)
    if entry in (None, ..., ""):
        raise NotReadable(f"has no shape for {tensor} yet", where=name)
    try:
        shape = parse_shape(entry)
        shape_sizes(shape, dict.fromkeys(dimensions, 1))
    except ValueError as error:
        raise NotReadable(f"{tensor}: {error}") from None
    return shape


def read_choice(name: str, answer: object, letters: str) -> set[str]:
    """The letters chosen; "AC", "a, c", "A and C" and ["A", "C"] are the same."""
    if answer is ... or answer is None:
        raise NotWritten(f"{name} is not answered yet: replace `...` with your letters")
    answer = [answer] if isinstance(answer, str) else answer
    if not isinstance(answer, list | tuple | set) or not all(isinstance(part, str) for part in answer):
        raise NotReadable(f'should be letters such as "{letters[:2]}", but it is {answer!r}', where=name)
    words = [word for part in answer for word in re.split(r"\W+|_", part.upper()) if word != "AND"]
    chosen = {letter for word in words for letter in word}
    if unknown := sorted(chosen - set(letters)):
        raise NotReadable(f"has {', '.join(unknown)}, but the choices are {letters[0]} to {letters[-1]}", where=name)
    if not chosen:
        raise NotReadable(f"chooses nothing; at least one of {letters[0]} to {letters[-1]} is true", where=name)
    return chosen


def read_parts(name: str, answer: object, parts: Sequence[str]) -> list:
    """The values handed in: for each part, "matrix" (n, d) with finite numbers, or "index" of one of its rows."""
    wanted = f"a {parts[0]}" if len(parts) == 1 else f"({', '.join(parts)})"
    if answer is ... or answer is None:
        raise NotWritten(f"{name} is not filled in yet: replace `...` with {wanted}")
    if len(parts) == 1 and isinstance(answer, Tensor):
        answer = (answer,)
    if not isinstance(answer, tuple | list) or len(answer) != len(parts):
        raise NotReadable(f"should be {wanted}, but it is {_describe(answer)}", where=name)
    if any(value is ... for value in answer):
        raise NotWritten(f"{name} is not filled in yet: replace each `...`")
    names = [name] if len(parts) == 1 else [f"{name}[{i}]" for i in range(len(parts))]
    values = [_READERS[part](names[i], value) for i, (part, value) in enumerate(zip(parts, answer, strict=True))]
    return _rows_named(name, values)


def _read_matrix(name: str, value: object) -> Tensor:
    if not isinstance(value, Tensor):
        raise NotReadable(f"should be a tensor of shape (n, d), but it is {_describe(value)}", where=name)
    if value.ndim != 2 or value.numel() == 0:
        raise NotReadable(f"should have shape (n, d), but its shape is {tuple(value.shape)}", where=name)
    if max(value.shape) > LONGEST_SIDE:
        raise NotReadable(
            f"has shape {tuple(value.shape)}", "a small one", f"at most {LONGEST_SIDE:,} either way", where=name
        )
    if value.is_complex() or not value.isfinite().all():
        raise NotReadable("should hold finite real numbers", where=name)
    return value.detach().to(torch.float64)


def _read_index(name: str, value: object) -> int:
    if isinstance(value, Tensor) and value.numel() == 1:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotReadable(f"should be the index of a token, a whole number, but it is {_describe(value)}", where=name)
    return value


_READERS = {"matrix": _read_matrix, "index": _read_index}


def _rows_named(name: str, values: list) -> list:
    """The values, with indices counted from the front; matrices must have one shape, and the rows that are named."""
    matrices = [value for value in values if isinstance(value, Tensor)]
    if any(matrix.shape != matrices[0].shape for matrix in matrices):
        shapes = " and ".join(str(tuple(matrix.shape)) for matrix in matrices)
        raise NotReadable(f"the tensors of {name} should have the same shape, but they have {shapes}")
    rows = len(matrices[0])
    for value in values:
        if isinstance(value, int) and not -rows <= value < rows:
            raise NotReadable(f"names token {value}, but its tensor has tokens 0 to {rows - 1}", where=name)
    return [value % rows if isinstance(value, int) else value for value in values]


def _describe(value: object) -> str:
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, tuple | list):
        return f"a {type(value).__name__} of {len(value)}"
    return f"of type {type(value).__name__}"
