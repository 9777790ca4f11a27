"""Heads set by hand: attention over positions that copies and shifts."""

import math
from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_04.heads import small_sizes
from autograder.exams.unit_04.looking import SOFT, STYLES, at, by_content, soft
from course_lib.nn import handmade_heads


def _tokens(draw: Draw) -> list[Tensor]:
    b, n, d, _ = small_sizes(draw)
    return [draw.normal(b, n, d)]


def _alike_tokens(draw: Draw) -> list[Tensor]:
    """The first token points the same way as the second, which is longer: content cannot tell it from itself."""
    (x,) = _tokens(draw)
    return [torch.cat([x[:, 1:2] / 2, x[:, 1:]], 1)]


BY_CONTENT = "Your tokens find each other by content, so alike ones are mixed: make queries and keys from positions."

identity_head = CodeExam(
    exercise="identity_head",
    covers=("D1.3c",),
    function=handmade_heads.identity_head,
    outputs=("output",),
    criteria=(
        CodeCriterion("every token is copied", 0.5, _alike_tokens, visible=True),
        CodeCriterion("the output is made anew, not x itself", 0.5, _alike_tokens, "shared memory", visible=True),
    ),
    misconceptions=(
        Misconception(
            "hand-back-x-itself",
            "You hand back x itself: fetch its tokens with attention.",
            lambda x: x,
            hint="what to compare",
        ),
        Misconception("by-content", BY_CONTENT, by_content, hint="what to compare"),
        Misconception(
            "beta-10000-0",
            "Your tokens find each other by content, and a longer one that points the same way wins: make queries and "
            "keys from positions.",
            partial(by_content, beta=1e4),
            hint="what to compare",
        ),
        Misconception(
            "soft",
            SOFT,
            lambda x: (torch.eye(x.shape[-2]) / math.sqrt(x.shape[-2])).softmax(-1) @ x,
            hint="sharp enough",
        ),
        Misconception(
            "weights-every-token-becomes-mean",
            "Your weights are all equal, so every token becomes the mean: beta 0 averages, a large beta copies.",
            lambda x: x.mean(-2, keepdim=True).expand_as(x).clone(),
            hint="sharp enough",
        ),
        Misconception(
            "return-weights",
            "You return the weights: multiply them with the values.",
            lambda x: torch.eye(x.shape[-2]).expand(*x.shape[:-1], -1).clone(),
            hint="sharp enough",
        ),
        Misconception(
            "tokens-looks-before",
            "Each of your tokens looks at the one before it.",
            lambda x: at(x, -1),
            hint="who looks where",
        ),
    ),
    accepted=tuple(partial(style, offset=0) for style in STYLES),
)

shift_head = CodeExam(
    exercise="shift_head",
    covers=("D1.3c",),
    function=handmade_heads.shift_head,
    outputs=("output",),
    forbidden=("torch.roll",),
    criteria=(
        CodeCriterion("every token gets the one before it", 1.5, _tokens, visible=True),
        CodeCriterion("the argument is left unchanged", 0.5, _tokens, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "shift-other-way",
            "You shift the other way: output i is token i − 1.",
            lambda x: at(x, 1),
            hint="one step aside",
        ),
        Misconception(
            "first-output-last-token-before",
            "Your first output is the last token; before the first token there is nothing, so it is 0.",
            lambda x: at(x, -1, "wrap"),
            hint="something before the first",
        ),
        Misconception(
            "first-output-first-token-itself",
            "Your first output is the first token itself; before it there is nothing, so it is 0.",
            lambda x: at(x, -1, "repeat"),
            hint="something before the first",
        ),
        Misconception(
            "first-query-matches-no-key",
            "Your first query matches no key, so its weights are equal and it gets the mean: give it a row of zeros to "
            "look at.",
            lambda x: at(x, -1, "mean"),
            hint="something before the first",
        ),
        Misconception("soft", SOFT, partial(soft, offset=-1), hint="nearly there"),
        Misconception(
            "tokens-looks-itself",
            "Each of your tokens looks at itself: shift the queries by one.",
            lambda x: at(x, 0),
            hint="one step aside",
        ),
        Misconception("by-content", BY_CONTENT, by_content, hint="one step aside"),
    ),
    accepted=tuple(partial(style, offset=-1) for style in STYLES),
)
