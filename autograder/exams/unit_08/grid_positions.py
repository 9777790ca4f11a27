"""Positions interpolated to another grid of patches."""

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.models import vision_transformer

OLD, NEW = (3, 4), (5, 7)


def _positions(draw: Draw) -> Arguments:
    return [draw.normal(1, 1 + OLD[0] * OLD[1], 6), OLD, NEW]


def _smaller(draw: Draw) -> Arguments:
    return [draw.normal(1, 1 + 6 * 5, 4), (6, 5), (3, 4)]


def _same(draw: Draw) -> Arguments:
    return [draw.normal(1, 1 + 3 * 5, 4), (3, 5), (3, 5)]


def _flawed(
    pos, old_grid, new_grid, mode="bicubic", align_corners: bool | None = False, turned=False, keep=True, last=False
):
    inner = pos[:, :-1] if last else pos[:, 1:]
    height, width = reversed(old_grid) if turned in (True, "old") else old_grid
    grid = inner.reshape(1, height, width, -1).permute(0, 3, 1, 2)
    new_grid = [*reversed(new_grid)] if turned in (True, "new") else [*new_grid]
    if turned == "square":
        new_grid[1] = new_grid[0]
    grid = F.interpolate(grid, size=new_grid, mode=mode, align_corners=align_corners)
    found = (grid.mT if turned == "result" else grid).flatten(2).mT
    if not keep:
        return found
    return torch.cat([found, pos[:, -1:]] if last else [pos[:, :1], found], 1)


def _with(**slip):
    return lambda pos, old_grid, new_grid: _flawed(pos, old_grid, new_grid, **slip)


def _all_as_a_line(pos, old_grid, new_grid):
    return F.interpolate(pos.mT, size=1 + new_grid[0] * new_grid[1], mode="linear", align_corners=False).mT


def _scrambled(pos, old_grid, new_grid):
    grid = pos[:, 1:].reshape(1, -1, *old_grid)  # features and places mixed up
    grid = F.interpolate(grid, size=tuple(new_grid), mode="bicubic", align_corners=False)
    return torch.cat([pos[:, :1], grid.reshape(1, -1, pos.shape[-1])], 1)


def _class_token_too(pos, old_grid, new_grid):
    found = _flawed(pos, old_grid, new_grid)
    return torch.cat([found[:, 1:].mean(1, keepdim=True), found[:, 1:]], 1)


def _by_feature(pos, old_grid, new_grid):
    columns = []
    for feature in pos[0, 1:].T:
        grid = feature.reshape(1, 1, old_grid[0], old_grid[1])
        grid = F.interpolate(grid, (new_grid[0], new_grid[1]), mode="bicubic", align_corners=False)
        columns.append(torch.cat([pos.new_zeros(1), grid.flatten()]))
    found = torch.stack(columns, 1)[None]
    found[:, 0] = pos[:, 0]
    return found


def _by_rearranging(pos, old_grid, new_grid):
    token, rest = pos.split([1, pos.shape[1] - 1], dim=1)
    rest = rest.view(1, *old_grid, pos.shape[-1]).permute(0, 3, 1, 2)
    rest = torch.nn.functional.interpolate(rest, size=list(new_grid), mode="bicubic")
    return torch.cat((token, rest.permute(0, 2, 3, 1).reshape(1, -1, pos.shape[-1])), dim=1)


def _by_matrices(pos, old_grid, new_grid):
    """Bicubic interpolation is one matrix for the rows and one for the columns."""

    def matrix(old: int, new: int) -> Tensor:
        line = torch.eye(old)[:, None, :, None].expand(-1, -1, -1, 2)
        return F.interpolate(line, (new, 2), mode="bicubic", align_corners=False)[:, 0, :, 0]

    grid = pos[0, 1:].unflatten(0, tuple(old_grid))
    down, across = (matrix(*sizes) for sizes in zip(old_grid, new_grid, strict=True))
    return torch.cat([pos[0, :1], torch.einsum("hwd,hi,wj->ijd", grid, down, across).flatten(0, 1)])[None]


interpolate_positions = CodeExam(
    exercise="interpolate_positions",
    covers=("D1.5b",),
    function=vision_transformer.interpolate_positions,
    outputs=("positions",),
    criteria=(
        CodeCriterion("a larger grid", 2.5, _positions),
        CodeCriterion("a smaller grid", 0.5, _smaller),
        CodeCriterion("the same grid changes nothing", 0.5, _same),
        CodeCriterion("the positions are left unchanged", 0.5, _positions, "arguments after", True, side=True),
    ),
    misconceptions=(
        Misconception(
            "all-as-a-line",
            "You interpolate all positions along one line, the class token's included: take it off, and arrange the "
            "others as a grid.",
            _all_as_a_line,
            hint="three pieces",
        ),
        Misconception(
            "scrambled",
            "Your grid mixes positions and features: (h·w, d) becomes (h, w, d) first, then d moves to the front.",
            _scrambled,
            hint="from rows to a grid",
        ),
        Misconception(
            "turned",
            "Height and width are swapped: a grid is (height, width), and patches are numbered row by row.",
            _with(turned=True),
            hint="from rows to a grid",
        ),
        Misconception(
            "old-grid-exchanged",
            "You take the old grid as (width, height): grids are (height, width).",
            _with(turned="old"),
            hint="from rows to a grid",
        ),
        Misconception(
            "new-grid-exchanged",
            "You take the new grid as (width, height): grids are (height, width).",
            _with(turned="new"),
            hint="from rows to a grid",
        ),
        Misconception(
            "transposed",
            "Your new positions go down the columns of the grid: they go row by row, like the old ones.",
            _with(turned="result"),
            hint="and back",
        ),
        Misconception(
            "square",
            "Your new grid is a square of its height: it has a width of its own.",
            _with(turned="square"),
            hint="from rows to a grid",
        ),
        Misconception(
            "no-keep",
            "You lose the class token's position: put it back in front.",
            _with(keep=False),
            hint="three pieces",
        ),
        Misconception(
            "last", "You keep the last position: the class token's is the first.", _with(last=True), hint="three pieces"
        ),
        Misconception(
            "class-token-too",
            "You replace the class token's position: it is kept as it is.",
            _class_token_too,
            hint="three pieces",
        ),
        Misconception(
            "mode-bilinear",
            'You interpolate linearly, expected mode="bicubic".',
            _with(mode="bilinear"),
            hint="and back",
        ),
        Misconception(
            "mode-nearest-align-corners-none",
            'You copy the nearest position, expected mode="bicubic".',
            _with(mode="nearest", align_corners=None),
            hint="and back",
        ),
        Misconception(
            "align-corners",
            "You align the corners of both grids, expected align_corners=False.",
            _with(align_corners=True),
            hint="and back",
        ),
    ),
    accepted=(_flawed, _by_feature, _by_rearranging, _by_matrices),
)
