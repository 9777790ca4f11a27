"""Heads set by hand: attention over positions that copies and shifts."""

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
    """Two equal tokens, one of zeros, and one that points the same way as another but is longer."""
    b, n, d, _ = small_sizes(draw)
    x = draw.normal(b, n + 3, d)
    x[:, 1] = x[:, 0]
    x[:, 2] = 2 * x[:, 3]
    x[:, 4] = 0
    return [x]


def _many_tokens(draw: Draw) -> list[Tensor]:
    return [draw.normal(2, 32, draw.sizes(1)[0])]


HEAD = ("q", "k", "v")
BY_CONTENT = "Your tokens attend by content, so similar ones are mixed. Make queries and keys from positions."
OUTPUT_ALONE = "You return the output alone; expected (q, k, v). The check runs the attention."
VALUES = "Your values are not the tokens x. Queries and keys are made from positions, values from x."

identity_head = CodeExam(
    exercise="identity_head",
    covers=("D1.3c",),
    function=handmade_heads.identity_head,
    outputs=HEAD,
    criteria=(
        CodeCriterion("each token attends to itself", 0.25, _alike_tokens, "weights of the identity"),
        CodeCriterion("32 tokens, each attends to itself", 0.25, _many_tokens, "weights of the identity"),
        CodeCriterion("the output is x", 0.5, _alike_tokens, "output of the head"),
    ),
    misconceptions=(
        Misconception("output-alone", OUTPUT_ALONE, lambda x: x.clone(), hint="sharp enough"),
        Misconception("by-content", BY_CONTENT, by_content, hint="what to compare"),
        *(
            Misconception("by-content", BY_CONTENT, partial(by_content, beta=beta), hint="what to compare")
            for beta in (100.0, 1e3, 1e4, 1e5, 1e6)
        ),
        Misconception("soft", SOFT, lambda x: soft(x, 0), hint="sharp enough"),
        Misconception(
            "weights-every-token-becomes-mean",
            "Your weights are all equal, so every token becomes the mean. Beta 0 averages, a large beta copies.",
            partial(at, offset=0, beta=0.0),
            hint="sharp enough",
        ),
        Misconception("values-positions", VALUES, partial(at, offset=0, values="positions"), hint="what to compare"),
        Misconception(
            "tokens-looks-before",
            "Each of your tokens attends to the one before it; expected itself.",
            partial(at, offset=-1, border="repeat"),
            hint="who looks where",
        ),
    ),
    accepted=tuple(partial(style, offset=0) for style in STYLES),
    shortcuts=(lambda x: x, lambda x: x.clone(), lambda x: (x, x, x), lambda x: (0 * x, 0 * x, x)),
)

shift_head = CodeExam(
    exercise="shift_head",
    covers=("D1.3c",),
    function=handmade_heads.shift_head,
    outputs=HEAD,
    criteria=(
        CodeCriterion("each token attends to the one before it", 1, _tokens, "weights of the shift"),
        CodeCriterion("the output is x shifted by one, zeros first", 0.5, _alike_tokens, "output of the head"),
        CodeCriterion("the argument is left unchanged", 0.5, _tokens, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "output-alone", OUTPUT_ALONE, lambda x: torch.cat([0 * x[:, :1], x[:, :-1]], 1), hint="nearly there"
        ),
        Misconception(
            "shift-other-way",
            "You shift the other way: token i must attend to token i − 1.",
            partial(at, offset=1),
            hint="one step aside",
        ),
        Misconception(
            "first-output-last-token-before",
            "Your first output is the last token. Before the first token there is nothing, so it is 0.",
            partial(at, offset=-1, border="wrap"),
            hint="something before the first",
        ),
        Misconception(
            "first-output-first-token-itself",
            "Your first output is the first token itself. Before it there is nothing, so it is 0.",
            partial(at, offset=-1, border="repeat"),
            hint="something before the first",
        ),
        Misconception(
            "first-query-matches-no-key",
            "Your first query matches no key, so its weights are equal and it gets the mean. Give it a row of zeros to "
            "attend to.",
            partial(at, offset=-1, border="mean"),
            hint="something before the first",
        ),
        Misconception("soft", SOFT, partial(soft, offset=-1), hint="nearly there"),
        Misconception(
            "tokens-looks-itself",
            "Each of your tokens attends to itself. Shift the queries by one.",
            partial(at, offset=0),
            hint="one step aside",
        ),
        Misconception("by-content", BY_CONTENT, by_content, hint="one step aside"),
        Misconception("values-positions", VALUES, partial(at, offset=-1, values="positions"), hint="one step aside"),
    ),
    accepted=tuple(partial(style, offset=-1) for style in STYLES),
    shortcuts=(lambda x: x.roll(1, 1), lambda x: (x, x, x), lambda x: (0 * x, 0 * x, x.roll(1, 1))),
)
