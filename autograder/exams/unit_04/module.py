"""Multi-head attention as a module."""

import torch
from torch import Tensor

from autograder.exam_types import ModuleCriterion, ModuleExam, RefusalCriterion
from autograder.exam_types.draw import Draw
from autograder.exams.unit_04.heads import small_sizes
from autograder.exams.unit_04.module_bank import MISTAKES
from autograder.exams.unit_04.module_styles import (
    EinsumHeads,
    HeadsInTheBatch,
    LikeAnnotated,
    LoopOverHeads,
    StackedWeights,
    ViewAndPermute,
)
from course_lib.nn import multihead


def _inputs(draw: Draw, dtype: torch.dtype = torch.float32) -> tuple[list[int], list[Tensor]]:
    n_q, n_k, heads, d_head = small_sizes(draw)
    n_q, n_k = sorted((n_q, n_k))
    d = heads * d_head
    return [d, heads], [draw.normal(2, n, d, dtype=dtype) for n in (n_q, n_k, n_k)]


def _masked(draw: Draw) -> tuple[list[int], list[Tensor]]:
    sizes, (q, k, v) = _inputs(draw)
    return sizes, [q, k, v, draw.mask(2, 1, q.shape[1], k.shape[1])]


def _other_masks(draw: Draw) -> tuple[list[int], list[Tensor]]:
    """A mask of its own for each head, and more queries than keys."""
    sizes, (k, q, _) = _inputs(draw)
    return sizes, [q, k, draw.normal(*k.shape), draw.mask(2, sizes[1], q.shape[1], k.shape[1])]


multi_head_attention = ModuleExam(
    exercise="MultiHeadAttention",
    covers=("Bc2", "Bt7"),
    module=multihead.MultiHeadAttention,
    outputs=("output", "weights"),
    parts=("wq", "wk", "wv", "dense"),
    properties={"weights": "rows sum to one"},
    forbidden=("torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"),
    criteria=(
        ModuleCriterion("output and weights", 2.5, _inputs),
        ModuleCriterion("masked keys get weight 0 in every head", 1.5, _masked, "effect of the mask"),
        ModuleCriterion("a mask of its own for each head", 0.5, _other_masks),
        ModuleCriterion("the same in training mode", 0.5, _inputs, "effect of training mode", side=True),
        ModuleCriterion("gradients reach q, k and v", 1, _inputs, "gradients", side=True),
        RefusalCriterion(
            "an error when num_heads does not divide d_model",
            1,
            lambda draw: (_inputs(draw)[0], None),
            lambda draw: ([d_model := _inputs(draw)[0][0], d_model - 1], None),
            side=True,
        ),
        ModuleCriterion("float64 in, float64 out", 0.5, lambda draw: _inputs(draw, torch.float64), "dtypes", side=True),
        ModuleCriterion("the arguments are left unchanged", 0.5, _masked, "arguments after", side=True),
    ),
    misconceptions=MISTAKES,
    accepted=(LoopOverHeads, EinsumHeads, StackedWeights, ViewAndPermute, LikeAnnotated, HeadsInTheBatch),
)
