"""What a trained model is measured by: inputs that no training has seen, and how its answer is read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

import torch
from torch import Tensor

from course_lib.checks.finding import Finding
from course_lib.checks.student_call import call
from course_lib.tasks import dates
from course_lib.tasks.vocabulary import EOS, SPECIAL

MOST_TOKENS = 100
SOURCE_LETTERS = dict(enumerate(dates.SOURCE.characters, SPECIAL))
TARGET_LETTERS = dict(enumerate(dates.TARGET.characters, SPECIAL))


class TrainedTask(NamedTuple):
    """`draw(seed, count)` gives each input in words, the arguments of one call, and the right results."""

    draw: Callable[[int, int], tuple[Sequence[str], Sequence[Tensor], Sequence[str]]]
    read: Callable[[object, int], Sequence[str]]


def measure(exercise: str, answer: object, task: TrainedTask, count: int) -> tuple[int, str]:
    """How many of so many new inputs are answered right, and an example of one that is not."""
    words, arguments, wanted = task.draw(0, count)
    results = task.read(call(exercise, answer, arguments), count)
    wrong = [place for place, result in enumerate(results) if result != wanted[place]]
    if not wrong:
        return count, ""
    first = wrong[0]
    return count - len(wrong), f"{words[first]!r} becomes {results[first]!r}, expected {wanted[first]!r}"


def unseen_dates(seed: int, count: int) -> tuple[list[str], list[Tensor], list[str]]:
    """Days that no training has seen: as they are written, as a batch of tokens, and in ISO format."""
    pairs = dates.draw_dates(count, seed=seed, held_out=True)
    return [written for written, _ in pairs], [dates.encode_pairs(pairs)[0]], [iso for _, iso in pairs]


def texts_of(returned: object, count: int) -> list[str]:
    """What the rows spell; whatever is returned, no more of it is read than rows of tokens have."""
    rows = _rows(returned, count)
    if rows is None or not all(
        isinstance(row, list | tuple) and all(type(token) is int for token in row) for row in rows
    ):
        found = f"shape {tuple(returned.shape)}" if isinstance(returned, Tensor) else f"type {type(returned).__name__}"
        raise Finding(f"returned something of {found}", "tokens, whole numbers (B, n)", where="to_iso")
    if len(rows) != count:
        raise Finding(f"returned {len(rows)} rows", f"{count}, one for each source", where="to_iso")
    return [spelled(row, TARGET_LETTERS) for row in rows]


def spelled(row: Iterable[int], letters: Mapping[int, str]) -> str:
    """The text up to the first EOS, as Vocabulary.decode gives it, without its checks: many rows are read."""
    return "".join(letters.get(token, "") for token in takewhile(lambda token: token != EOS, row))


def _rows(returned: object, count: int) -> list | tuple | None:
    if isinstance(returned, Tensor):
        modest = returned.ndim == 2 and returned.numel() <= count * MOST_TOKENS
        return returned.tolist() if modest and returned.layout == torch.strided and returned.is_cpu else None
    return returned if isinstance(returned, list | tuple) else None


TRAINED_TASKS: Mapping[str, TrainedTask] = {"to_iso": TrainedTask(unseen_dates, texts_of)}
