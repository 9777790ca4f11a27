"""Numbers that people type into fields."""

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.widgets.explorers.base import Unreadable

LARGEST = 1000.0


def read_numbers(label: str, text: str, most: int) -> Float[Tensor, "n"]:
    """Numbers with spaces or commas between them."""
    words = text.replace(",", " ").split()
    if not 1 <= len(words) <= most:
        raise Unreadable(f"{label}: {len(words)} numbers, expected 1 to {most}, with spaces between them")
    try:
        numbers = [float(word.replace("−", "-")) for word in words]
    except ValueError:
        raise Unreadable(f"{label}: {text!r} cannot be read, expected numbers such as 1 0.5 -2") from None
    if any(not abs(number) <= LARGEST for number in numbers):
        raise Unreadable(f"{label}: expected numbers between −{LARGEST:g} and {LARGEST:g}")
    return torch.tensor(numbers)


def read_rows(label: str, text: str, width: int, most: int) -> Float[Tensor, "n width"]:
    """A line for each row."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not 1 <= len(lines) <= most:
        raise Unreadable(f"{label}: {len(lines)} lines, expected 1 to {most}, one for each vector")
    rows = [read_numbers(f"{label}, line {i + 1}", line, width) for i, line in enumerate(lines)]
    if short := [i for i, row in enumerate(rows) if len(row) != width]:
        raise Unreadable(f"{label}, line {short[0] + 1}: expected {width} numbers")
    return torch.stack(rows)
