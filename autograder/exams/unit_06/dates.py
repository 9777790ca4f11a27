"""A model trained to turn written dates into ISO dates, on days that no training has seen."""

from collections.abc import Iterable

import torch
from torch import Tensor

from autograder.exam_types import ShareCriterion, TrainedExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.checks.trained_tasks import SOURCE_LETTERS, TARGET_LETTERS, spelled, texts_of, unseen_dates
from course_lib.tasks import dates
from course_lib.tasks.vocabulary import EOS, SOS

TARGET_TOKENS = {letter: token for token, letter in TARGET_LETTERS.items()}
ENOUGH = 0.93  # the notebook asks for 95 %; two in a hundred are the luck of the draw


def _unseen(draw: Draw, count: int) -> tuple[list[str], list[Tensor], list[str]]:
    return unseen_dates(int(draw.uniform(0, 2**31)), count)


def _tokens(texts: Iterable[str]) -> Tensor:
    """ISO dates as rows of tokens with EOS; all of one length."""
    return torch.tensor([[TARGET_TOKENS[letter] for letter in text] + [EOS] for text in texts])


def _parts(text: str) -> tuple[str, int, int]:
    """Year, month and day of a date in any of the styles."""
    words = text.replace(",", " ").replace(" of ", " ").replace("/", " ").replace(".", " ").split()
    words = [word for word in words if word not in {day[:3] for day in dates.WEEKDAYS}]
    names = [word for word in words if word[:3].isalpha()]
    numbers = [word.rstrip("stndrh") for word in words if word not in names]
    year = next(number for number in numbers if len(number) == 4)
    others = [int(number) for number in numbers if len(number) < 4]
    month = [name[:3] for name in dates.MONTHS].index(names[0][:3]) + 1 if names else others[1]
    return year, month, others[0]


def _writes(form, tokens=_tokens):
    """A function like to_iso that reads every date and writes it in this form."""

    def to_iso(src):
        return tokens([form(*_parts(spelled(row, SOURCE_LETTERS))) for row in src.tolist()])

    return to_iso


def _iso(year: str, month: int, day: int) -> str:
    return f"{year}-{month:02}-{day:02}"


def _nearly(year: str, month: int, day: int) -> str:
    """Three days in a hundred are wrong."""
    return _iso(year, month, 1) if day == 29 else _iso(year, month, day)


def _half(src: Tensor) -> Tensor:
    return right(src)[: len(src) // 2]


def _logits(src: Tensor) -> Tensor:
    return torch.nn.functional.one_hot(right(src), len(dates.TARGET)).float()


def _first_for_all(src: Tensor) -> Tensor:
    return right(src)[:1].repeat(len(src), 1)


def _with_junk(src: Tensor) -> Tensor:
    tokens = right(src)
    return torch.cat([tokens, tokens[:, :3]], 1).int()


right = _writes(_iso)

to_iso = TrainedExam(
    exercise="to_iso",
    covers=("A8", "B overview"),
    function=right,
    draw=_unseen,
    read=texts_of,
    criteria=(
        ShareCriterion("half of the unseen dates are right", 1, enough=0.5),
        ShareCriterion("nearly all unseen dates are right", 2, enough=ENOUGH),
    ),
    misconceptions=(
        Misconception(
            "day-month-changed-places",
            "Day and month are swapped.",
            _writes(lambda y, m, d: f"{y}-{d:02}-{m:02}"),
            hint="it writes nonsense?",
        ),
        Misconception(
            "comes-back-source-not-date",
            "You return the source, not a date: decode with the model.",
            lambda src: src.clamp(max=14),
            hint="two things you have",
        ),
        Misconception(
            "logits",
            "You return logits: take the argmax, as greedy_decode does, and return tokens.",
            _logits,
            hint="arguments",
        ),
        Misconception(
            "half", "You return only a part of the batch: return one row for each source.", _half, hint="arguments"
        ),
        Misconception(
            "first-for-all",
            "Every row has the date of the first one: pass the whole batch.",
            _first_for_all,
            hint="arguments",
        ),
        Misconception(
            "dates-token-short-long-character",
            "Your dates are shifted by one character: was the target shifted exactly once?",
            _writes(lambda y, m, d: _iso(y, m, d)[1:] + "-"),
            hint="it writes nonsense?",
        ),
        Misconception(
            "return-texts-tokens-asked-greedy",
            "You return texts: return tokens, as greedy_decode gives them.",
            _writes(_iso, tokens=lambda texts: texts),
            hint="arguments",
        ),
    ),
    accepted=(
        _writes(_nearly),
        _with_junk,
        _writes(_iso, tokens=lambda texts: [[*dates.TARGET.encode(text), EOS] for text in texts]),
        lambda src: torch.cat([torch.full((len(src), 1), SOS), right(src)], 1),
    ),
    shortcuts=(
        lambda src: src,
        lambda src: _tokens(["2000-01-01"] * len(src)),
        _first_for_all,
    ),
)
