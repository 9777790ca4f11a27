"""Cards: what the visible checks know about each exercise, as numbers without code, made by `course build`."""

import json
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

from course_lib.cards.card_types import Card, Encoded

FOLDER = Path(__file__).parent
DECIMALS = 5


@cache
def read_cards() -> dict[str, Card]:
    """Every exercise's card, by the exercise's name."""
    return {
        exercise: card
        for path in sorted(FOLDER.glob("unit_*.json"))
        for exercise, card in json.loads(path.read_text("utf-8")).items()
    }


def encode(value: object) -> Encoded:
    """A tensor as plain JSON; anything else as it is."""
    if not isinstance(value, Tensor):
        return value
    numbers = value.detach().flatten().tolist()
    if value.is_floating_point():
        numbers = [round(number, DECIMALS) + 0.0 for number in numbers]
    dtype = str(value.dtype).removeprefix("torch.")
    return {"shape": list(value.shape), "dtype": dtype, "numbers": numbers}


def decode(value: Encoded) -> object:
    """The inverse of `encode`, up to rounding; a list of JSON is a tuple."""
    if not isinstance(value, dict):
        return tuple(value) if isinstance(value, list) else value
    return torch.tensor(value["numbers"], dtype=getattr(torch, value["dtype"])).reshape(value["shape"])
