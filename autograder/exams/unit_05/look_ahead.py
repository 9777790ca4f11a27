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


def _triangle(size, *, diagonal=1, side="upper", sense="blocked"):
    ones = torch.ones(1, 1, size, size)
    mask = (ones.triu(diagonal) if side == "upper" else ones.tril(-diagonal)).bool()
    return mask if sense == "blocked" else ~mask


create_look_ahead_mask = CodeExam(
    exercise="create_look_ahead_mask",
    covers=("Bc4", "C5", "A3"),
    function=masks.create_look_ahead_mask,
    outputs=("mask",),
    criteria=(
        CodeCriterion("the future is blocked, and nothing else", 1.5, lambda draw: draw.sizes(1), visible=True),
        CodeCriterion("a token alone sees itself", 0.5, lambda draw: [1], visible=True),
    ),
    misconceptions=(
        Misconception(
            "sense-open",
            "Your mask is inverted: it is True where a query may look, and here True means blocked.",
            partial(_triangle, sense="open"),
            hint="which cells",
        ),
        Misconception(
            "diagonal-0",
            "Your diagonal is blocked: a token may see itself, so blocking begins one place to its right.",
            partial(_triangle, diagonal=0),
            hint="a triangle",
        ),
        Misconception(
            "diagonal-2",
            "Your mask begins one place too late: every token sees the one after it.",
            partial(_triangle, diagonal=2),
            hint="a triangle",
        ),
        Misconception(
            "side-lower",
            "Your mask is turned: it blocks the past. Rows are queries, columns are keys.",
            partial(_triangle, side="lower"),
            hint="which cells",
        ),
        Misconception(
            "mask-holds-numbers",
            "Your mask holds numbers: it should hold True and False, the dtype torch.bool.",
            lambda size: torch.ones(1, 1, size, size).triu(1),
            hint="dtype and shape",
        ),
        Misconception(
            "mask-holds-inf-added-scores",
            "Your mask holds −inf, to be added to scores: asked for is a boolean one, True where blocked.",
            lambda size: torch.full((1, 1, size, size), float("-inf")).triu(1),
            hint="dtype and shape",
        ),
        Misconception(
            "mask-size-size",
            "Your mask is (size, size): put two dimensions of size 1 in front, for the batch and the heads.",
            lambda size: torch.ones(size, size).triu(1).bool(),
            hint="dtype and shape",
        ),
        Misconception(
            "mask-1-size-size",
            "Your mask is (1, size, size): one more dimension in front, for the heads.",
            lambda size: torch.ones(1, size, size).triu(1).bool(),
            hint="dtype and shape",
        ),
    ),
    accepted=(
        lambda size: torch.triu(torch.ones(1, 1, size, size, dtype=torch.bool), diagonal=1),
        lambda size: ~torch.ones(size, size).tril().bool()[None, None],
        lambda size: (_places(size)[1] > _places(size)[0]).view(1, 1, size, size),
        lambda size: _loop(size, lambda i, j: j > i),
        lambda size: torch.tensor([[[[j > i for j in range(size)] for i in range(size)]]]),
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
        CodeCriterion("itself and `lookback` tokens before it", 1, _stream, visible=True),
        CodeCriterion("lookback 0: itself alone", 0.5, lambda draw: [_stream(draw)[0], 0], visible=True),
        CodeCriterion("a lookback longer than the sequence", 0.5, lambda draw: [n := _stream(draw)[0], n + 2]),
    ),
    misconceptions=(
        Misconception(
            "furthest-minus-1",
            "You count the token itself among the `lookback`: it sees itself and that many before it.",
            partial(_band, furthest=-1),
            hint="positions as tensors",
        ),
        Misconception(
            "furthest-1",
            "Your window reaches one token too far back: j < i − lookback is blocked.",
            partial(_band, furthest=1),
            hint="positions as tensors",
        ),
        Misconception(
            "sense-open",
            "Your mask is inverted: it is True where a query may look, and here True means blocked.",
            partial(_band, sense="open"),
            hint="two reasons",
        ),
        Misconception(
            "ahead-1",
            "You let tokens see one token of the future: in a live stream it has not been spoken yet.",
            partial(_band, ahead=1),
            hint="two reasons",
        ),
        Misconception(
            "window-open-sides",
            "Your window is open to both sides: block the future as well.",
            lambda n, lookback: _loop(n, lambda i, j: abs(i - j) > lookback),
            hint="two reasons",
        ),
        Misconception(
            "block-distant-past-not-future",
            "You block the distant past and not the future: block both, with |.",
            lambda n, lookback: _loop(n, lambda i, j: j < i - lookback),
            hint="nearly there",
        ),
        Misconception(
            "block-future-not-distant-past",
            "You block the future and not the distant past: block both, with |.",
            lambda n, lookback: masks.create_look_ahead_mask(n),
            hint="nearly there",
        ),
    ),
    accepted=(
        lambda n, lookback: ~torch.ones(1, 1, n, n).tril().triu(-lookback).bool(),
        lambda n, lookback: masks.create_look_ahead_mask(n) | torch.ones(n, n).tril(-lookback - 1).bool(),
        lambda n, lookback: _loop(n, lambda i, j: not 0 <= i - j <= lookback),
        lambda n, lookback: torch.logical_or(
            _places(n)[1] > _places(n)[0], _places(n)[0] - _places(n)[1] > lookback
        ).reshape(1, 1, n, n),
    ),
)
