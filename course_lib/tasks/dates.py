"""Dates as people write them, and the same dates in ISO form: "3rd of march 1998" → "1998-03-03"."""

import random
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from jaxtyping import Int
from torch import Tensor

from course_lib.tasks.vocabulary import Vocabulary

MONTHS = [
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
]
WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
FIRST, DAYS = date(1950, 1, 1), 36525  # a hundred years
HELD_OUT = 10  # every tenth day is never trained on

SOURCE = Vocabulary(["".join(MONTHS + WEEKDAYS), "0123456789 .,/"])
TARGET = Vocabulary(["0123456789-"])


def draw_dates(count: int, seed: int, held_out: bool = False) -> list[tuple[str, str]]:
    """Pairs (written, ISO) of random days in random styles; held-out days never occur in training."""
    draw = random.Random(seed)
    pairs = []
    for _ in range(count):
        number = HELD_OUT * draw.randrange(DAYS // HELD_OUT)
        if not held_out:
            number += draw.randrange(1, HELD_OUT)
        day = FIRST + timedelta(days=number)
        pairs.append((draw.choice(STYLES)(day), day.isoformat()))
    return pairs


def encode_pairs(
    pairs: Sequence[tuple[str, str]],
) -> tuple[Int[Tensor, "batch n_src"], Int[Tensor, "batch n_tgt"]]:
    """Source and target tokens, padded, the target with EOS."""
    return SOURCE.batch([written for written, _ in pairs]), TARGET.batch([iso for _, iso in pairs], end=True)


def date_batches(
    steps: int, batch: int, seed: int
) -> Iterator[tuple[Int[Tensor, "batch n_src"], Int[Tensor, "batch n_tgt"]]]:
    """Fresh training pairs for each step."""
    pairs = draw_dates(steps * batch, seed)
    for start in range(0, len(pairs), batch):
        yield encode_pairs(pairs[start : start + batch])


def exact_match(decoded: Int[Tensor, "batch n_out"], pairs: Sequence[tuple[str, str]]) -> float:
    """Exact-match accuracy: the fraction of rows that equal their ISO date in every character."""
    texts = [TARGET.decode(row) for row in decoded.tolist()]
    return sum(text == iso for text, (_, iso) in zip(texts, pairs, strict=True)) / len(pairs)


def _ordinal(n: int) -> str:
    suffix = "th" if n in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"


def _month(day: date) -> str:
    return MONTHS[day.month - 1]


STYLES = (
    lambda d: f"{d.day} {_month(d)} {d.year}",
    lambda d: f"{_month(d)} {d.day}, {d.year}",
    lambda d: f"{_ordinal(d.day)} of {_month(d)} {d.year}",
    lambda d: f"{d.day} {_month(d)[:3]} {d.year}",
    lambda d: f"{d.day}.{d.month}.{d.year}",
    lambda d: f"{d.year}, {_month(d)} {_ordinal(d.day)}",
    lambda d: f"{WEEKDAYS[d.weekday()][:3]} {d.day:02}/{d.month:02}/{d.year}",
)
