"""Putting patches together again."""

import torch
import torch.nn.functional as F

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_08.patches import CHANNELS, PATCH, grid
from course_lib.models import patches


def _patches(draw: Draw) -> Arguments:
    rows, columns = grid(draw)
    return [draw.normal(2, rows * columns, CHANNELS * PATCH**2), PATCH, PATCH * rows, PATCH * columns]


def _grey(draw: Draw) -> Arguments:
    """One channel, as every image of this unit has."""
    rows, columns = grid(draw)
    return [draw.normal(2, rows * columns, PATCH**2), PATCH, PATCH * rows, PATCH * columns]


def _too_high(draw: Draw) -> Arguments:
    tokens, patch, height, width = _patches(draw)
    return [tokens, patch, height + 1, width]


def _too_wide(draw: Draw) -> Arguments:
    tokens, patch, height, width = _patches(draw)
    return [tokens, patch, height, width + 1]


def _joined(shape: str, order: tuple[int, ...]):
    """Take tokens apart as `shape` says, then put the dimensions in this order."""

    def join(tokens, p, height, width):
        sizes = {"b": len(tokens), "r": height // p, "k": width // p, "c": tokens.shape[-1] // p**2, "p": p}
        apart = tokens.reshape([sizes[name] for name in shape]).permute(order)
        if height % p or width % p:
            raise ValueError("sizes must divide")
        return apart.reshape(len(tokens), sizes["c"], height, width)

    return join


def _silent(tokens, p, height, width):
    return _joined("brkcpp", (0, 3, 1, 4, 2, 5))(tokens, p, height // p * p, width // p * p)


def _squeezed(tokens, p, height, width):
    return _joined("brkcpp", (0, 3, 1, 4, 2, 5))(tokens, p, height, width).squeeze(1)


def _bare_assert(tokens, p, height, width):
    assert height % p == 0
    assert width % p == 0
    return _joined("brkcpp", (0, 3, 1, 4, 2, 5))(tokens, p, height, width)


def _by_fold(tokens, patch, height, width):
    if height % patch or width % patch:
        raise ValueError(f"{height} × {width} cannot be made of {patch} × {patch}")
    return F.fold(tokens.transpose(1, 2), (height, width), patch, stride=patch)


def _by_placing(tokens, p, height, width):
    images = tokens.new_zeros(len(tokens), tokens.shape[-1] // (p * p), height, width)
    columns = width // p
    for i in range(tokens.shape[1]):
        top, left = i // columns * p, i % columns * p
        images[:, :, top : top + p, left : left + p] = tokens[:, i].reshape(len(tokens), -1, p, p)
    if height % p != 0 or width % p != 0:
        raise ValueError("some pixels have no patch")
    return images


def _by_concatenation(tokens, p, height, width):
    assert height % p == width % p == 0, "p must divide height and width"
    squares = tokens.unflatten(-1, (-1, p, p))
    strips = [torch.cat(list(strip.unbind(1)), dim=-1) for strip in squares.split(width // p, dim=1)]
    return torch.cat(strips, dim=-2)


def _by_einsum(tokens, p, height, width):
    squares = tokens.unflatten(1, (height // p, width // p)).unflatten(-1, (-1, p, p))
    return torch.einsum("brkcij->bcrikj", squares).reshape(len(tokens), -1, height, width)


unpatchify = CodeExam(
    exercise="unpatchify",
    covers=("D1.5a",),
    function=patches.unpatchify,
    outputs=("images",),
    criteria=(
        CodeCriterion("every patch is in its place", 1, _patches),
        CodeCriterion("images with one channel", 0.5, _grey),
        CodeCriterion(
            "an error when the patch does not divide the height", 0.25, _too_high, "refusal", True, side=True
        ),
        CodeCriterion("an error when the patch does not divide the width", 0.25, _too_wide, "refusal", True, side=True),
    ),
    misconceptions=(
        Misconception(
            "reshape-straight-b-c-h",
            "You reshape straight to (B, C, H, W), which scatters every patch: take apart, reorder, then reshape.",
            lambda tokens, p, height, width: tokens.reshape(len(tokens), -1, height, width),
            hint="undo in reverse",
        ),
        Misconception(
            "lay-patches-down-columns-cut",
            "You place the patches down the columns: they were cut row by row.",
            _joined("bkrcpp", (0, 3, 2, 4, 1, 5)),
            hint="take tokens apart",
        ),
        Misconception(
            "read-token-p-p-c",
            "You unflatten each token as (p, p, C): it was flattened as (C, p, p).",
            _joined("brkppc", (0, 5, 1, 3, 2, 4)),
            hint="take tokens apart",
        ),
        Misconception(
            "patches-transposed",
            "Each of your patches is transposed: its rows belong to the height, its columns to the width.",
            _joined("brkcpp", (0, 3, 1, 5, 2, 4)),
            hint="nearly there",
        ),
        Misconception(
            "put-p-before-rows-grid",
            "You put p before the rows of the grid: the height is made of (rows, p), in this order.",
            _joined("brkcpp", (0, 3, 4, 1, 5, 2)),
            hint="nearly there",
        ),
        Misconception(
            "height-width-changed-places-image",
            "Height and width are swapped in your image.",
            lambda tokens, p, height, width: _joined("brkcpp", (0, 3, 1, 4, 2, 5))(tokens, p, height, width).mT,
            hint="nearly there",
        ),
        Misconception(
            "silent",
            "No error is raised where the patch doesn't divide a size: raise a ValueError that says so.",
            _silent,
            hint="undo in reverse",
        ),
        Misconception(
            "squeezed",
            "You squeeze the channels away when there is one: return (B, 1, H, W), four dimensions always.",
            _squeezed,
            hint="nearly there",
        ),
        Misconception(
            "bare-assert",
            "Your error has no message: say what is wrong, with a ValueError or in the second part of your assert.",
            _bare_assert,
            hint="undo in reverse",
        ),
    ),
    accepted=(_by_fold, _by_placing, _by_concatenation, _by_einsum),
)
