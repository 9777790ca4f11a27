"""What the decoder reads, what it is scored on, and how fast it learns."""

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.training import objectives


def tokens(draw: Draw, low: int, high: int, *shape: int) -> Tensor:
    """Whole numbers from low to high − 1."""
    uniform = draw.normal(*shape, dtype=torch.float64).mul(1.7).sigmoid()
    return (low + uniform * (high - low)).long().clamp(low, high - 1)


def pad_after(values: Tensor, pad_id: int, longest: int) -> Tensor:
    """The first row keeps `longest` tokens, every other one less than the row before it, at least one."""
    lengths = (longest - 2 * torch.arange(len(values))).clamp(min=1)
    return values.masked_fill(torch.arange(values.shape[1]) >= lengths[:, None], pad_id)


def _target(draw: Draw) -> Arguments:
    """The start token is not always 1."""
    batch, n, more = draw.sizes(3)
    return [tokens(draw, 3, 40, batch, n), 40 + more]


def _in_place(tokens, sos_id):
    tokens[:, 1:] = tokens[:, :-1].clone()
    tokens[:, 0] = sos_id
    return tokens


def _rolled(tokens, sos_id):
    shifted = tokens.roll(1, 1)
    shifted[:, 0] = sos_id
    return shifted


def _filled(tokens, sos_id):
    shifted = torch.full_like(tokens, sos_id)
    shifted[:, 1:] = tokens[:, :-1]
    return shifted


shift_right = CodeExam(
    exercise="shift_right",
    covers=("A8", "Bt8"),
    function=objectives.shift_right,
    outputs=("shifted",),
    criteria=(
        CodeCriterion("SOS in front, the last token dropped", 1, _target),
        CodeCriterion("whole numbers stay whole numbers", 0.5, _target, "dtypes", True, side=True),
        CodeCriterion("the argument is left unchanged", 0.5, _target, "arguments after", True, side=True),
    ),
    misconceptions=(
        Misconception(
            "shift-left",
            "You shift to the left: position 0 must hold SOS, and position i the target token i − 1.",
            lambda tokens, sos_id: torch.cat([tokens[:, 1:], torch.full_like(tokens[:, :1], sos_id)], 1),
            hint="one row on paper",
        ),
        Misconception(
            "put-sos-front-keep-last",
            "You put SOS in front but keep the last token, so the result is one token too long: drop the last one.",
            lambda tokens, sos_id: F.pad(tokens, (1, 0), value=sos_id),
            hint="two pieces",
        ),
        Misconception(
            "drop-last-no-sos",
            "You return tokens[:, :-1], as where targets begin with SOS. Here they don't: put SOS in front of it.",
            lambda tokens, sos_id: tokens[:, :-1],
            hint="two pieces",
        ),
        Misconception(
            "sos-1",
            "You put 1 in front whatever sos_id is: use sos_id.",
            lambda tokens, sos_id: F.pad(tokens[:, :-1], (1, 0), value=1),
            hint="two pieces",
        ),
        Misconception(
            "sos-0",
            "You put 0 in front: put sos_id there.",
            lambda tokens, sos_id: F.pad(tokens[:, :-1], (1, 0), value=0),
            hint="two pieces",
        ),
        Misconception(
            "write-sos-over-first-token",
            "You overwrite the first token with SOS: nothing is shifted, and the first token is lost.",
            lambda tokens, sos_id: torch.cat([torch.full_like(tokens[:, :1], sos_id), tokens[:, 1:]], 1),
            hint="one row on paper",
        ),
        Misconception(
            "last-token-comes-round-front",
            "Your last token wraps around to the front: SOS belongs there.",
            lambda tokens, sos_id: tokens.roll(1, 1),
            hint="two pieces",
        ),
        Misconception(
            "shift-sequences-batch-not-tokens",
            "You shift whole sequences of the batch, not the tokens in each: tokens are dimension 1.",
            lambda tokens, sos_id: torch.cat([torch.full_like(tokens[:1], sos_id), tokens[:-1]]),
            hint="two pieces",
        ),
        Misconception(
            "return-tokens-unshifted",
            "You return the tokens unshifted: the decoder would get its answers as input.",
            lambda t, sos_id: t,
            hint="one row on paper",
        ),
        Misconception(
            "in-place",
            "You shift in place, which changes your caller's targets: work on a copy.",
            _in_place,
            hint="nearly there",
        ),
    ),
    accepted=(
        _rolled,
        _filled,
        lambda tokens, sos_id: F.pad(tokens[:, :-1], (1, 0), value=sos_id),
        lambda tokens, sos_id: torch.tensor([[sos_id, *row[:-1]] for row in tokens.tolist()]),
        lambda tokens, sos_id: torch.hstack([tokens.new_full((tokens.size(0), 1), sos_id), tokens[:, :-1]]),
    ),
)
