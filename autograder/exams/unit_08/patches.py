"""Cutting images into patches."""

import torch
import torch.nn.functional as F

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.models import patches

CHANNELS, PATCH = 3, 2


def grid(draw: Draw) -> list[int]:
    """4 and 5 in some order: rows and columns of patches, unlike each other, the channels and the patch."""
    return [size for size in draw.sizes(8) if size in (4, 5)]


def _images(draw: Draw) -> Arguments:
    rows, columns = grid(draw)
    return [draw.normal(2, CHANNELS, PATCH * rows, PATCH * columns), PATCH]


def _one_patch(draw: Draw) -> Arguments:
    size = grid(draw)[0]
    return [draw.normal(2, CHANNELS, size, size), size]


def _too_low(draw: Draw) -> Arguments:
    images, patch = _images(draw)
    return [images[:, :, :-1], patch]


def _too_narrow(draw: Draw) -> Arguments:
    images, patch = _images(draw)
    return [images[..., :-1], patch]


def _squares(images, p):
    b, c, height, width = images.shape
    return images.reshape(b, c, height // p, p, width // p, p)


def _ordered(*order: int):
    """Cut as it should be, then the six dimensions in this order."""

    def cut(images, patch):
        squares = _squares(images, patch).permute(order)
        b, rows, columns = squares.shape[:3]
        return squares.reshape(b, rows * columns, -1)

    return cut


def _every_other_pixel(images, p):
    b, c, height, width = images.shape
    squares = images.reshape(b, c, p, height // p, p, width // p).permute(0, 3, 5, 1, 2, 4)
    return squares.reshape(b, height // p * (width // p), -1)


def _cut_off(images, p):
    return _ordered(0, 2, 4, 1, 3, 5)(images[:, :, : images.shape[2] // p * p, : images.shape[3] // p * p], p)


def _bare_assert(images, p):
    assert images.shape[2] % p == 0
    assert images.shape[3] % p == 0
    return _ordered(0, 2, 4, 1, 3, 5)(images, p)


def _height_alone(images, p):
    if images.shape[2] % p:
        raise ValueError("p does not divide the height")
    return _cut_off(images, p)


def _by_unfold(images, patch):
    if images.shape[2] % patch or images.shape[3] % patch:
        raise ValueError("the patch must divide both sides")
    return F.unfold(images, patch, stride=patch).transpose(1, 2)


def _by_loops(images, patch):
    height, width = images.shape[2:]
    if height % patch or width % patch:
        raise ValueError("sizes must divide")
    found = []
    for top in range(0, height, patch):
        for left in range(0, width, patch):
            found.append(images[:, :, top : top + patch, left : left + patch].flatten(1))
    return torch.stack(found, dim=1)


def _by_windows(images, p):
    if images.shape[-2] % p + images.shape[-1] % p:
        raise RuntimeError(f"{p} does not divide {tuple(images.shape[-2:])}")
    windows = images.unfold(2, p, p).unfold(3, p, p)  # (b, c, rows, columns, p, p)
    return windows.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


def _by_splitting(images, p):
    rows = torch.stack(images.split(p, dim=2), dim=1)  # (b, rows, c, p, width)
    return torch.stack(rows.split(p, dim=-1), dim=2).flatten(3).flatten(1, 2)


patchify = CodeExam(
    exercise="patchify",
    covers=("D1.5a",),
    function=patches.patchify,
    outputs=("patches",),
    criteria=(
        CodeCriterion("each patch is one token", 2.5, _images),
        CodeCriterion("one patch that is the whole image", 0.5, _one_patch),
        CodeCriterion("an error when the patch does not divide the height", 0.25, _too_low, "refusal", True, side=True),
        CodeCriterion(
            "an error when the patch does not divide the width", 0.25, _too_narrow, "refusal", True, side=True
        ),
        CodeCriterion("gradients reach the images", 0.5, _images, "gradients", True, side=True),
    ),
    misconceptions=(
        Misconception(
            "reshape-straight-b-n-c",
            "You reshape straight to (B, N, C·p·p), so a token is a strip of one row: cut height and width first.",
            lambda images, p: images.reshape(len(images), -1, images.shape[1] * p * p),
            hint="cut, then reorder",
        ),
        Misconception(
            "patches-go-down-columns-grid",
            "Your patches go down the columns of the grid: number them row by row, as you read a page.",
            _ordered(0, 4, 2, 1, 3, 5),
            hint="nearly there",
        ),
        Misconception(
            "flatten-patch-p-p-c",
            "You flatten each patch as (p, p, C), as some public code does: here the channel comes first, (C, p, p).",
            _ordered(0, 2, 4, 3, 5, 1),
            hint="nearly there",
        ),
        Misconception(
            "patches-transposed",
            "Your patches are transposed: within a patch, too, rows come before columns.",
            _ordered(0, 2, 4, 1, 5, 3),
            hint="nearly there",
        ),
        Misconception(
            "every-other-pixel",
            "Your patches take pixels that lie far apart: the height is (rows, p), not (p, rows), since "
            "neighbours share a patch.",
            _every_other_pixel,
            hint="cut, then reorder",
        ),
        Misconception(
            "tokens-features-swapped",
            "Your tokens and features are swapped: F.unfold gives (B, C·p·p, N), and tokens should be rows.",
            lambda images, p: _ordered(0, 2, 4, 1, 3, 5)(images, p).transpose(1, 2),
        ),
        Misconception(
            "patches-not-flattened-yet",
            "Your patches are not flattened yet: make (C, p, p) one dimension.",
            lambda images, p: _squares(images, p).permute(0, 2, 4, 1, 3, 5).flatten(1, 2),
            hint="nearly there",
        ),
        Misconception(
            "patches-still-grid-b-rows",
            "Your patches are still a grid, (B, rows, columns, …): make rows and columns one dimension, N.",
            lambda images, p: _squares(images, p).permute(0, 2, 4, 1, 3, 5).flatten(3),
            hint="nearly there",
        ),
        Misconception(
            "cut-off",
            "No error is raised where the patch doesn't divide a size: raise a ValueError that says so.",
            _cut_off,
            hint="divide first",
        ),
        Misconception(
            "height-alone",
            "You check the height but not the width: the patch has to divide both.",
            _height_alone,
            hint="divide first",
        ),
        Misconception(
            "bare-assert",
            "Your error has no message: say what is wrong, with a ValueError or in the second part of your assert.",
            _bare_assert,
            hint="divide first",
        ),
    ),
    accepted=(_by_unfold, _by_loops, _by_windows, _by_splitting),
)
