"""Splitting the features into heads, and putting them side by side again."""

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import multihead


def small_sizes(draw: Draw) -> list[int]:
    """3, 4, 5 and 6 in some order: distinct, and few enough numbers for a visible check."""
    return [size for size in draw.sizes(8) if size <= 6]


def _split_arguments(draw: Draw) -> Arguments:
    b, n, heads, d_head = small_sizes(draw)
    return [draw.normal(b, n, heads * d_head), heads]


def _one_head(draw: Draw) -> Arguments:
    b, n, d, _ = small_sizes(draw)
    return [draw.normal(b, n, d), 1]


def _split_by_chunks(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


def _split_by_slices(x, num_heads):
    width = x.size(-1) // num_heads
    split = x.new_empty(x.shape[0], num_heads, x.shape[1], width)
    for j in range(num_heads):
        split[:, j] = x[:, :, j * width : (j + 1) * width]
    return split


split_heads = CodeExam(
    exercise="split_heads",
    covers=("A2", "A4", "Bc2"),
    function=multihead.split_heads,
    outputs=("heads",),
    criteria=(
        CodeCriterion("each head holds its own features", 3, _split_arguments),
        CodeCriterion("one head is the whole", 0.5, _one_head),
        CodeCriterion("gradients reach x", 0.5, _split_arguments, "gradients", side=True),
    ),
    misconceptions=(
        Misconception(
            "reshape-straight-b-h-n",
            "You reshape straight to (B, h, n, d/h), so heads hold pieces of other tokens. Go through (B, n, h, d/h), "
            "then swap n and h.",
            lambda x, num_heads: x.reshape(x.shape[0], num_heads, x.shape[1], -1),
            hint="two steps, in this order",
        ),
        Misconception(
            "stop-b-n-h-d",
            "You stop at (B, n, h, d/h). Swap the tokens and the heads.",
            lambda x, num_heads: x.reshape(*x.shape[:2], num_heads, -1),
            hint="nearly there",
        ),
        Misconception(
            "heads-take-every-h-th",
            "Your heads take every h-th feature; head j holds d/h features side by side: (…, h, d/h), not (…, d/h, h).",
            lambda x, num_heads: x.reshape(*x.shape[:2], -1, num_heads).permute(0, 3, 1, 2),
            hint="two steps, in this order",
        ),
        Misconception(
            "make-heads-width-num-heads",
            "You make heads of width num_heads; expected num_heads of them, each d/h wide.",
            lambda x, num_heads: x.reshape(*x.shape[:2], -1, num_heads).transpose(1, 2),
            hint="two steps, in this order",
        ),
        Misconception(
            "heads-transposed",
            "Your heads are transposed. Within a head, rows are tokens, so the last two dimensions are (n, d/h).",
            lambda x, num_heads: x.reshape(*x.shape[:2], num_heads, -1).permute(0, 2, 3, 1),
            hint="nearly there",
        ),
        Misconception(
            "heads-come-before-batch",
            "Your heads come before the batch; expected (B, h, n, d/h).",
            lambda x, num_heads: torch.stack(x.chunk(num_heads, -1)),
            hint="nearly there",
        ),
        Misconception(
            "heads-in-the-batch",
            "Your heads and sequences are one dimension, (B·h, n, d/h); keep them apart: (B, h, n, d/h).",
            lambda x, num_heads: torch.stack(x.chunk(num_heads, -1), 1).flatten(0, 1),
            hint="two steps, in this order",
        ),
        Misconception(
            "give-every-head-d-features",
            "You give every head all d features; each holds its own d/h of them.",
            lambda x, num_heads: x[:, None].expand(-1, num_heads, -1, -1).clone(),
            hint="what moves, what stays",
        ),
    ),
    accepted=(
        _split_by_chunks,
        _split_by_slices,
        lambda x, num_heads: x.view(x.shape[0], x.shape[1], num_heads, x.shape[2] // num_heads).permute(0, 2, 1, 3),
        lambda x, num_heads: x.unflatten(-1, (num_heads, -1)).movedim(2, 1),
        lambda x, num_heads: torch.stack(torch.split(x, x.size(-1) // num_heads, dim=-1)).transpose(0, 1),
        lambda x, num_heads: x.mT.reshape(x.shape[0], num_heads, -1, x.shape[1]).mT.contiguous(),
    ),
)


def _merge_arguments(draw: Draw) -> list[Tensor]:
    return [draw.normal(*small_sizes(draw))]


def _merge_by_loop(x):
    batch, heads, n, d_head = x.shape
    merged = x.new_zeros(batch, n, heads * d_head)
    for j in range(heads):
        merged[..., j * d_head : (j + 1) * d_head] = x[:, j]
    return merged


merge_heads = CodeExam(
    exercise="merge_heads",
    covers=("A2", "A4", "Bc2"),
    function=multihead.merge_heads,
    outputs=("merged",),
    criteria=(
        CodeCriterion("the heads side by side", 1.5, _merge_arguments),
        CodeCriterion("gradients reach x", 0.5, _merge_arguments, "gradients", side=True),
    ),
    misconceptions=(
        Misconception(
            "reshape-without-swapping-heads-tokens",
            "You reshape without swapping heads and tokens back, so a row holds pieces of other tokens. First "
            "transpose(1, 2).",
            lambda x: x.reshape(x.shape[0], x.shape[2], -1),
            hint="undo in reverse",
        ),
        Misconception(
            "heads-before-the-batch",
            "You bring the heads in front of the batch and reshape, so sequences are mixed. Swap heads and tokens: "
            "transpose(1, 2).",
            lambda x: x.transpose(0, 1).reshape(x.shape[0], x.shape[2], -1),
            hint="undo in reverse",
        ),
        Misconception(
            "put-heads-below-other-more",
            "You put the heads below each other, as more tokens; expected side by side, as more features.",
            lambda x: x.flatten(1, 2),
            hint="one row of the result",
        ),
        Misconception(
            "add-heads-up-put-them",
            "You add the heads; put them side by side.",
            lambda x: x.sum(1),
            hint="one row of the result",
        ),
        Misconception(
            "take-mean-heads-keeps-d",
            "You take the mean of the heads, which keeps d/h features; put them side by side.",
            lambda x: x.mean(1),
            hint="one row of the result",
        ),
        Misconception(
            "stop-b-n-h-d-2",
            "You stop at (B, n, h, d/h). Join the last two dimensions into one.",
            lambda x: x.transpose(1, 2),
            hint="nearly there",
        ),
        Misconception(
            "features-different-heads-alternate-keep",
            "Your features of different heads alternate; keep each head's features together.",
            lambda x: x.permute(0, 2, 3, 1).flatten(-2),
            hint="undo in reverse",
        ),
    ),
    accepted=(
        lambda x: torch.cat(list(x.unbind(1)), dim=-1),
        lambda x: x.permute(0, 2, 1, 3).contiguous().view(x.shape[0], x.shape[2], -1),
        lambda x: x.transpose(1, 2).reshape(x.shape[0], x.shape[2], x.shape[1] * x.shape[3]),
        _merge_by_loop,
        lambda x: torch.einsum("bhnd->bnhd", x).flatten(2),
        lambda x: torch.concatenate([x[:, j] for j in range(x.size(1))], dim=2),
    ),
)
