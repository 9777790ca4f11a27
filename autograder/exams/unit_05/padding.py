"""The mask of padding, and one mask made of several."""

from functools import partial, reduce

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import masks


def _tokens(draw: Draw, pad_id: int) -> Arguments:
    """Sentences of different lengths; where padding is not 0, a real token is."""
    n, batch = sorted(draw.sizes(2), reverse=True)
    tokens = torch.arange(batch * n).reshape(batch, n) % 5 + 1
    tokens[:, 1] = 0 if pad_id else 5
    for row in range(batch):
        tokens[row, n - 1 - row % (n - 2) :] = pad_id
    return [tokens, pad_id]


create_padding_mask = CodeExam(
    exercise="create_padding_mask",
    covers=("A6",),
    function=masks.create_padding_mask,
    outputs=("mask",),
    criteria=(
        CodeCriterion("padding is blocked as a key", 1, lambda draw: _tokens(draw, 0), visible=True),
        CodeCriterion("padding with another number", 0.5, lambda draw: _tokens(draw, 7), visible=True),
        CodeCriterion("the tokens are left unchanged", 0.5, lambda draw: _tokens(draw, 0), "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "mask-inverted",
            "Your mask is inverted: it is True for real tokens, and here True means blocked.",
            lambda tokens, pad_id: (tokens != pad_id)[:, None, None, :],
            hint="compare",
        ),
        Misconception(
            "mask-b-n",
            "Your mask is (B, n): put dimensions of size 1 for heads and queries in between, (B, 1, 1, n).",
            lambda tokens, pad_id: tokens == pad_id,
            hint="two more dimensions",
        ),
        Misconception(
            "mask-b-1-n",
            "Your mask is (B, 1, n): one more dimension of size 1, so that heads and queries both have one.",
            lambda tokens, pad_id: (tokens == pad_id)[:, None, :],
            hint="two more dimensions",
        ),
        Misconception(
            "mask-b-1-n-1",
            "Your mask is (B, 1, n, 1), which blocks queries: padding is blocked as a key, the last dimension.",
            lambda tokens, pad_id: (tokens == pad_id)[:, None, :, None],
            hint="who is blocked",
        ),
        Misconception(
            "compare-0-whatever-pad-id",
            "You compare with 0 whatever pad_id is.",
            lambda tokens, pad_id: (tokens == 0)[:, None, None, :],
            hint="compare",
        ),
        Misconception(
            "mask-holds-numbers",
            "Your mask holds numbers: it should hold True and False, the dtype torch.bool.",
            lambda tokens, pad_id: (tokens == pad_id).float()[:, None, None, :],
            hint="compare",
        ),
        Misconception(
            "repeat-mask-every-query-dimension",
            "You repeat the mask for every query; with a dimension of size 1 it broadcasts by itself: (B, 1, 1, n).",
            lambda tokens, pad_id: (tokens == pad_id)[:, None, None, :].repeat(1, 1, tokens.shape[1], 1),
            hint="two more dimensions",
        ),
    ),
    accepted=(
        lambda tokens, pad_id: (tokens == pad_id).unsqueeze(1).unsqueeze(1),
        lambda tokens, pad_id: tokens.eq(pad_id).view(len(tokens), 1, 1, -1),
        lambda tokens, pad_id: ~(tokens != pad_id)[:, None, None],
        lambda tokens, pad_id: torch.tensor([[[[t == pad_id for t in row]]] for row in tokens.tolist()]),
    ),
)


def _two(draw: Draw) -> list[Tensor]:
    """A mask for each sentence and one for all of them, which overlap somewhere and not everywhere."""
    n, batch = draw.sizes(2)
    padding = torch.zeros(batch, 1, 1, n, dtype=torch.bool)
    padding[:, ..., -1] = True
    padding[0, ..., -2] = True
    return [torch.ones(1, 1, n, n).triu(1).bool(), padding]


def _three_and_none(draw: Draw) -> list[Tensor | None]:
    look_ahead, padding = _two(draw)
    third = torch.zeros_like(look_ahead)
    third[..., 0] = True
    return [None, padding, None, look_ahead, third]


def _reduced(*given, how, none="ignored"):
    if none == "ends" and any(mask is None for mask in given):
        return None
    given = [mask for mask in given if mask is not None]
    return reduce(how, given) if given else None


def _false_for_nothing(*given):
    combined = torch.tensor(False)
    for mask in given:
        if mask is not None:
            combined = combined | mask
    return combined


def _counted(*given):
    given = [mask for mask in given if mask is not None]
    return sum(mask.int() for mask in given) > 0 if given else None


def _stacked(*given):
    given = [mask for mask in given if mask is not None]
    return torch.stack(torch.broadcast_tensors(*given)).any(0) if given else None


def _one_by_one(*given):
    combined = None
    for mask in given:
        if combined is None:
            combined = mask
        elif mask is not None:
            combined = combined | mask
    return combined


combine_masks = CodeExam(
    exercise="combine_masks",
    covers=("A6",),
    function=masks.combine_masks,
    outputs=("mask",),
    criteria=(
        CodeCriterion("blocked if either blocks", 1, _two, "tensor or None", visible=True),
        CodeCriterion("three masks, and None among them", 0.5, _three_and_none, "tensor or None", visible=True),
        CodeCriterion("no masks at all give None", 0.5, lambda draw: [], "tensor or None", visible=True),
    ),
    misconceptions=(
        Misconception(
            "how-logical-and",
            "You block only what all masks block: one that blocks is enough, so combine them with |, not &.",
            partial(_reduced, how=torch.logical_and),
            hint="or",
        ),
        Misconception(
            "how-logical-xor",
            "Where two masks block, yours is open again: use | (or), not ^ or != (either, but not both).",
            partial(_reduced, how=torch.logical_xor),
            hint="or",
        ),
        Misconception(
            "keep-last-mask-only",
            "You keep the last mask only.",
            partial(_reduced, how=lambda one, two: two | torch.zeros_like(one)),
            hint="any number",
        ),
        Misconception(
            "keep-first-mask-only",
            "You keep the first mask only.",
            partial(_reduced, how=lambda one, two: one | torch.zeros_like(two)),
            hint="any number",
        ),
        Misconception(
            "how-logical-or-none-ends",
            "You return None as soon as one mask is None: leave it out and combine the others.",
            partial(_reduced, how=torch.logical_or, none="ends"),
            hint="None",
        ),
        Misconception(
            "false-for-nothing",
            "Without any mask you return one: return None, which blocks nothing.",
            _false_for_nothing,
            hint="None",
        ),
        Misconception(
            "add-masks-up-numbers",
            "You add the masks up as numbers: the result should hold True and False.",
            partial(_reduced, how=lambda one, two: one.float() + two.float()),
            hint="or",
        ),
    ),
    accepted=(_counted, _stacked, _one_by_one, partial(_reduced, how=torch.add)),
)
