"""Masks by position: no token sees the future, and in a stream none sees far into the past."""

from functools import partial

import torch

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import masks


def _places(n: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Queries as a column, keys as a row."""
    return torch.arange(n)[:, None], torch.arange(n)[None, :]


def _loop(n, blocks):
    mask = torch.zeros(1, 1, n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(n):
            mask[0, 0, i, j] = blocks(i, j)
    return mask


CELLS = {
    "right": lambda i, j: j > i,
    "inverted": lambda i, j: j <= i,
    "diagonal": lambda i, j: j >= i,
    "late": lambda i, j: j > i + 1,
    "past": lambda i, j: j < i,
}


def _mask(size, *, cells="right", dims=4, dtype=torch.bool):
    """One slip for each option, so that two of them are known as two."""
    blocked = CELLS[cells](*_places(size))
    return blocked.to(dtype).reshape((1,) * (dims - 2) + (size, size))


def _minus_infinity(size, *, dims=4):
    return torch.full((1,) * (dims - 2) + (size, size), float("-inf")).triu(1)


ONES_BELOW = (
    "This is the lower triangle of ones of many GPT implementations: inverted, made of numbers, and with fewer "
    "dimensions. Here True means masked, the dtype is bool, and the shape is (1, 1, size, size)."
)
OTHER_DTYPES = {"numbers": torch.float32, "integers": torch.int64, "bytes": torch.uint8}

create_look_ahead_mask = CodeExam(
    exercise="create_look_ahead_mask",
    covers=("Bc4", "C5", "A3"),
    function=masks.create_look_ahead_mask,
    outputs=("mask",),
    criteria=(
        CodeCriterion("the future is blocked, and nothing else", 1.5, lambda draw: draw.sizes(1)),
        CodeCriterion("a token alone sees itself", 0.5, lambda draw: [1]),
    ),
    misconceptions=(
        Misconception(
            "sense-open",
            "Your mask is inverted: it is True for visible keys, but True means masked here.",
            partial(_mask, cells="inverted"),
            hint="which cells",
        ),
        Misconception(
            "diagonal-0",
            "Your mask includes the diagonal, so no token sees itself. Start one step above it: diagonal=1.",
            partial(_mask, cells="diagonal"),
            hint="a triangle",
        ),
        Misconception(
            "diagonal-2",
            "Your mask starts one step too far right, so every token sees the next one. Use diagonal=1.",
            partial(_mask, cells="late"),
            hint="a triangle",
        ),
        Misconception(
            "side-lower",
            "Your mask is transposed: it masks the past. Rows are queries, columns are keys.",
            partial(_mask, cells="past"),
            hint="which cells",
        ),
        *(
            Misconception(
                f"mask-holds-{name}",
                f"Your mask has dtype {str(dtype).removeprefix('torch.')}, expected bool: compare (`>`), or call "
                "`.bool()`.",
                partial(_mask, dtype=dtype),
                hint="dtype and shape",
            )
            for name, dtype in OTHER_DTYPES.items()
        ),
        *(
            Misconception(
                "mask-holds-inf-added-scores",
                "Your mask holds 0 and −inf, to be added to the scores. Return a boolean mask instead, True where "
                "masked.",
                partial(_minus_infinity, dims=dims),
                hint="dtype and shape",
            )
            for dims in (4, 3, 2)
        ),
        Misconception(
            "mask-size-size",
            "Your mask has shape (size, size): add two leading dimensions of size 1, for the batch and the heads.",
            partial(_mask, dims=2),
            hint="dtype and shape",
        ),
        Misconception(
            "mask-1-size-size",
            "Your mask has shape (1, size, size): add one more leading dimension, for the heads.",
            partial(_mask, dims=3),
            hint="dtype and shape",
        ),
        *(
            Misconception(
                "ones-below",
                ONES_BELOW,
                lambda size, dims=dims, dtype=dtype: _mask(size, cells="inverted", dims=dims, dtype=dtype),
                hint="dtype and shape",
            )
            for dims in (2, 3)
            for dtype in OTHER_DTYPES.values()
        ),
    ),
    accepted=(
        lambda size: torch.triu(torch.ones(1, 1, size, size, dtype=torch.bool), diagonal=1),
        lambda size: ~torch.ones(size, size).tril().bool()[None, None],
        lambda size: (_places(size)[1] > _places(size)[0]).view(1, 1, size, size),
        lambda size: _loop(size, lambda i, j: j > i),
        lambda size: torch.tensor([[[[j > i for j in range(size)] for i in range(size)]]]),
        lambda size: torch.triu(torch.ones(size, size), diagonal=1).unsqueeze(0).unsqueeze(0) == 1,
        lambda size: torch.full((1, 1, size, size), float("-inf")).triu(1).isinf(),
        lambda size: torch.tril(torch.ones(1, 1, size, size)) == 0,
    ),
)


def _stream(draw: Draw) -> list[int]:
    """Long enough for two lookbacks, so that no other window looks the same."""
    lookback = 2 + draw.sizes(1)[0] % 2
    return [2 * lookback + 3, lookback]


def _band(n, lookback, *, furthest=0, ahead=0, sense="blocked"):
    i, j = _places(n)
    mask = ((j > i + ahead) | (j < i - lookback - furthest))[None, None]
    return mask if sense == "blocked" else ~mask


streaming_mask = CodeExam(
    exercise="streaming_mask",
    covers=("D1.3e",),
    function=masks.streaming_mask,
    outputs=("mask",),
    criteria=(
        CodeCriterion("itself and `lookback` tokens before it", 1, _stream, "mask of queries and keys"),
        CodeCriterion(
            "lookback 0: itself alone",
            0.5,
            lambda draw: [_stream(draw)[0], 0],
            "mask of queries and keys",
        ),
        CodeCriterion(
            "a lookback longer than the sequence",
            0.5,
            lambda draw: [n := _stream(draw)[0], n + 2],
            "mask of queries and keys",
        ),
    ),
    misconceptions=(
        Misconception(
            "furthest-minus-1",
            "You count the token itself among the `lookback`: it sees itself *and* `lookback` tokens before it.",
            partial(_band, furthest=-1),
            hint="positions as tensors",
        ),
        Misconception(
            "furthest-1",
            "Your window reaches one token too far back: mask every j < i − lookback.",
            partial(_band, furthest=1),
            hint="positions as tensors",
        ),
        Misconception(
            "sense-open",
            "Your mask is inverted: it is True for visible keys, but True means masked here.",
            partial(_band, sense="open"),
            hint="two reasons",
        ),
        Misconception(
            "ahead-1",
            "Every token sees one token of the future, which a live stream does not have yet: mask every j > i.",
            partial(_band, ahead=1),
            hint="two reasons",
        ),
        Misconception(
            "window-open-sides",
            "Your window is open on both sides: mask the future as well, with |.",
            lambda n, lookback: _loop(n, lambda i, j: abs(i - j) > lookback),
            hint="two reasons",
        ),
        Misconception(
            "block-distant-past-not-future",
            "You mask the distant past but not the future: mask both, with |.",
            lambda n, lookback: _loop(n, lambda i, j: j < i - lookback),
            hint="nearly there",
        ),
        Misconception(
            "block-future-not-distant-past",
            "You mask the future but not the distant past: mask both, with |.",
            lambda n, lookback: masks.create_look_ahead_mask(n),
            hint="nearly there",
        ),
    ),
    accepted=(
        lambda n, lookback: _band(n, lookback)[0, 0],
        lambda n, lookback: _band(n, lookback)[0],
        lambda n, lookback: ~torch.ones(1, 1, n, n).tril().triu(-lookback).bool(),
        lambda n, lookback: masks.create_look_ahead_mask(n) | torch.ones(n, n).tril(-lookback - 1).bool(),
        lambda n, lookback: _loop(n, lambda i, j: not 0 <= i - j <= lookback),
        lambda n, lookback: torch.logical_or(
            _places(n)[1] > _places(n)[0], _places(n)[0] - _places(n)[1] > lookback
        ).reshape(1, 1, n, n),
    ),
)
