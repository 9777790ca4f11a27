"""Multi-head attention as a module."""

import torch
from torch import Tensor

from autograder.exam_types import ModuleCriterion, ModuleExam, RefusalCriterion
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_04 import module_mistakes as wrong
from autograder.exams.unit_04.heads import small_sizes
from autograder.exams.unit_04.module_styles import EinsumHeads, LoopOverHeads, StackedWeights, ViewAndPermute
from course_lib.nn import multihead


def _inputs(draw: Draw, dtype: torch.dtype = torch.float32) -> tuple[list[int], list[Tensor]]:
    n_q, n_k, heads, d_head = small_sizes(draw)
    d = heads * d_head
    return [d, heads], [draw.normal(2, n, d, dtype=dtype) for n in (n_q, n_k, n_k)]


def _masked(draw: Draw) -> tuple[list[int], list[Tensor]]:
    sizes, (q, k, v) = _inputs(draw)
    return sizes, [q, k, v, draw.mask(2, 1, q.shape[1], k.shape[1])]


def _other_masks(draw: Draw) -> tuple[list[int], list[Tensor]]:
    """A mask of its own for each head."""
    sizes, (q, k, v) = _inputs(draw)
    return sizes, [q, k, v, draw.mask(2, sizes[1], q.shape[1], k.shape[1])]


multi_head_attention = ModuleExam(
    exercise="MultiHeadAttention",
    covers=("Bc2", "Bt7"),
    module=multihead.MultiHeadAttention,
    outputs=("output", "weights"),
    parts=("wq", "wk", "wv", "dense"),
    properties={"weights": "rows sum to one"},
    forbidden=("torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"),
    criteria=(
        ModuleCriterion("output and weights", 3, _inputs, visible=True),
        ModuleCriterion("a mask blocks keys in every head", 1.5, _masked, visible=True),
        ModuleCriterion("a mask of its own for each head", 0.5, _other_masks),
        ModuleCriterion("gradients reach q, k and v", 1, _inputs, "gradients"),
        RefusalCriterion(
            "an error when num_heads does not divide d_model",
            1,
            lambda draw: (_inputs(draw)[0], None),
            lambda draw: ([d_model := _inputs(draw)[0][0], d_model - 1], None),
        ),
        ModuleCriterion(
            "float64 in, float64 out", 0.5, lambda draw: _inputs(draw, torch.float64), "dtypes", visible=True
        ),
        ModuleCriterion("the arguments are left unchanged", 0.5, _masked, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "reshaped-heads",
            "Your heads are cut by reshape alone, so they hold pieces of other tokens: use your split_heads.",
            wrong.ReshapedHeads,
            hint="heads",
        ),
        Misconception(
            "merged-as-it-lies",
            "Your heads are merged without swapping tokens and heads back: use your merge_heads.",
            wrong.MergedAsItLies,
            hint="heads",
        ),
        Misconception(
            "width-of-model",
            "Your scale is 1/√d_model; a head compares d_model/h features: 1/√d_head.",
            wrong.WidthOfModel,
            hint="attention for all heads at once",
        ),
        Misconception(
            "no-scale", "Your scores are not divided by √d_head.", wrong.NoScale, hint="attention for all heads at once"
        ),
        Misconception(
            "no-output-projection",
            "Your output never goes through dense, the projection W_o.",
            wrong.NoOutputProjection,
            hint="what belongs where",
        ),
        Misconception(
            "keys-for-values",
            "You project values with wk; each role has its own projection, values wv.",
            wrong.KeysForValues,
            hint="what belongs where",
        ),
        Misconception(
            "queries-for-keys",
            "You project keys with wq; each role has its own projection, keys wk.",
            wrong.QueriesForKeys,
            hint="what belongs where",
        ),
        Misconception(
            "values-are-keys",
            "You make the values from k: they come from the argument v.",
            wrong.ValuesAreKeys,
            hint="what belongs where",
        ),
        Misconception(
            "first-head-blocked",
            "Your mask reaches the first head only: it must act on the scores of all.",
            wrong.FirstHeadBlocked,
            hint="attention for all heads at once",
        ),
        Misconception(
            "mask-gets-adimension",
            "You give the mask a dimension more; it already broadcasts to the scores (B, h, n_q, n_k) as it is.",
            wrong.MaskGetsADimension,
            hint="attention for all heads at once",
        ),
        Misconception(
            "ignores-mask", "Your module ignores the mask.", wrong.IgnoresMask, hint="attention for all heads at once"
        ),
        Misconception(
            "inverted-mask",
            "Your mask is inverted: here True means blocked.",
            wrong.InvertedMask,
            hint="attention for all heads at once",
        ),
        Misconception(
            "mean-weights",
            "You average the weights over the heads: return each head's own.",
            wrong.MeanWeights,
            hint="attention for all heads at once",
        ),
        Misconception(
            "weights-first",
            "You return (weights, output); the order asked for is (output, weights).",
            wrong.WeightsFirst,
            hint="attention for all heads at once",
        ),
        Misconception(
            "any-number-of-heads",
            "Your constructor takes any number of heads: raise an error if d_model % num_heads is not 0.",
            wrong.AnyNumberOfHeads,
            hint="what belongs where",
        ),
    ),
    accepted=(LoopOverHeads, EinsumHeads, StackedWeights, ViewAndPermute),
)
