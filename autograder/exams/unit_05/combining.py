"""One mask made of several."""

from functools import partial, reduce

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import masks


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


def _until_none(*given):
    combined = None
    for mask in given:
        if mask is None:
            break
        combined = mask if combined is None else combined | mask
    return combined


def _first_two(*given):
    return _one_by_one(*given[:2])


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
        CodeCriterion("blocked if either blocks", 1, _two, "tensor or None"),
        CodeCriterion("three masks, and None among them", 0.5, _three_and_none, "tensor or None"),
        CodeCriterion("no masks at all give None", 0.5, lambda draw: [], "tensor or None"),
    ),
    misconceptions=(
        Misconception(
            "how-logical-and",
            "You mask only what *all* masks hide: one reason is enough, so combine them with |, not &.",
            partial(_reduced, how=torch.logical_and),
            hint="or",
        ),
        Misconception(
            "how-logical-xor",
            "Where two masks hide a key, yours shows it again: use | (or), not ^ or != (either, but not both).",
            partial(_reduced, how=torch.logical_xor),
            hint="or",
        ),
        Misconception(
            "keep-last-mask-only",
            "You keep only the last mask: combine all of them with |.",
            partial(_reduced, how=lambda one, two: two | torch.zeros_like(one)),
            hint="any number",
        ),
        Misconception(
            "keep-first-mask-only",
            "You keep only the first mask: combine all of them with |.",
            partial(_reduced, how=lambda one, two: one | torch.zeros_like(two)),
            hint="any number",
        ),
        Misconception(
            "how-logical-or-none-ends",
            "With None among your masks the others are lost: skip it and combine them.",
            partial(_reduced, how=torch.logical_or, none="ends"),
            hint="None",
        ),
        Misconception(
            "how-logical-or-none-ends",
            "With None among your masks the others are lost: skip it and combine them.",
            _until_none,
            hint="None",
        ),
        Misconception(
            "first-two",
            "You combine the first two masks only: there may be any number.",
            _first_two,
            hint="any number",
        ),
        Misconception(
            "false-for-nothing",
            "Without any mask you return a tensor: return None, which masks nothing.",
            _false_for_nothing,
            hint="None",
        ),
        Misconception(
            "add-masks-up-numbers",
            "You add the masks as numbers: the result should be boolean.",
            partial(_reduced, how=lambda one, two: one.float() + two.float()),
            hint="or",
        ),
    ),
    accepted=(_counted, _stacked, _one_by_one, partial(_reduced, how=torch.add)),
)
