"""Known mistakes in multi-head attention: conventions of other code among them."""

from autograder.exam_types.exam import Misconception
from autograder.exams.unit_04 import module_mistakes as wrong

MISTAKES = (
    Misconception(
        "reshaped-heads",
        "You reshape straight to (B, h, n, d/h), so heads hold pieces of other tokens. Use your split_heads.",
        wrong.ReshapedHeads,
        hint="heads",
    ),
    Misconception(
        "merged-as-it-lies",
        "You merge the heads without swapping tokens and heads back. Use your merge_heads.",
        wrong.MergedAsItLies,
        hint="heads",
    ),
    Misconception(
        "straight-views",
        "You reshape straight to heads and straight back, so heads hold pieces of other tokens, and rows "
        "pieces of other heads. Use your split_heads and merge_heads.",
        wrong.StraightViews,
        hint="heads",
    ),
    Misconception(
        "heads-first",
        "You merge with the heads in front of the batch, so sequences are mixed. Bring the batch to the "
        "front first, or use your merge_heads.",
        wrong.HeadsFirst,
        hint="heads",
    ),
    Misconception(
        "strided-heads",
        "Your heads take every h-th feature; head j holds d/h features side by side. Use your "
        "split_heads and merge_heads.",
        wrong.StridedHeads,
        hint="heads",
    ),
    Misconception(
        "strided-heads",
        "Your heads take every h-th feature; head j holds d/h features side by side. Use your "
        "split_heads and merge_heads.",
        wrong.StridedHeadsMergedWell,
        hint="heads",
    ),
    Misconception(
        "width-of-model",
        "You scale by 1/√d_model. A head compares d_model/h features, so expected 1/√d_head.",
        wrong.WidthOfModel,
        hint="attention for all heads at once",
    ),
    Misconception(
        "no-scale",
        "You do not divide the scores by √d_head.",
        wrong.NoScale,
        hint="attention for all heads at once",
    ),
    Misconception(
        "width-not-root",
        "You divide the scores by d_head; expected √d_head.",
        wrong.WidthNotRoot,
        hint="attention for all heads at once",
    ),
    Misconception(
        "scaled-weights",
        "You divide the weights by √d_head, after the softmax. Divide the scores, before it.",
        wrong.ScaledWeights,
        hint="attention for all heads at once",
    ),
    Misconception(
        "without-softmax",
        "Your weights are the scaled scores: the softmax is missing.",
        wrong.WithoutSoftmax,
        hint="attention for all heads at once",
    ),
    Misconception(
        "over-queries",
        "Your softmax runs over the queries. Each query's weights over the keys must sum to 1 (dim=-1).",
        wrong.OverQueries,
        hint="attention for all heads at once",
    ),
    Misconception(
        "over-queries",
        "Your softmax runs over the queries. Each query's weights over the keys must sum to 1 (dim=-1).",
        wrong.OverQueriesToNaN,
        hint="attention for all heads at once",
    ),
    Misconception(
        "over-heads",
        "Your softmax runs over the heads. Each query's weights over the keys must sum to 1 (dim=-1).",
        wrong.OverHeads,
        hint="attention for all heads at once",
    ),
    Misconception(
        "no-output-projection",
        "Your output does not go through dense, the projection W_o.",
        wrong.NoOutputProjection,
        hint="what belongs where",
    ),
    Misconception(
        "residual-inside",
        "You add q to the output. The residual connection belongs to the block around this module, in unit 05.",
        wrong.ResidualInside,
        hint="what belongs where",
    ),
    Misconception(
        "keys-for-values",
        "You project the values with wk; each role has its own layer, values wv.",
        wrong.KeysForValues,
        hint="what belongs where",
    ),
    Misconception(
        "values-for-keys",
        "You project the keys with wv; each role has its own layer, keys wk.",
        wrong.ValuesForKeys,
        hint="what belongs where",
    ),
    Misconception(
        "queries-for-keys",
        "You project the keys with wq; each role has its own layer, keys wk.",
        wrong.QueriesForKeys,
        hint="what belongs where",
    ),
    Misconception(
        "layers-exchanged",
        "You project the keys with wv and the values with wk; swap the two layers.",
        wrong.LayersExchanged,
        hint="what belongs where",
    ),
    Misconception(
        "values-are-keys",
        "You make the values from k; expected from the argument v.",
        wrong.ValuesAreKeys,
        hint="what belongs where",
    ),
    Misconception(
        "keys-are-values",
        "You make the keys from v; expected from the argument k.",
        wrong.KeysAreValues,
        hint="what belongs where",
    ),
    Misconception(
        "keys-and-values-exchanged",
        "You have exchanged k and v: keys come from k, values from v.",
        wrong.KeysAndValuesExchanged,
        hint="what belongs where",
    ),
    Misconception(
        "without-bias",
        "Your layers have no bias, as in Llama; expected nn.Linear with bias, as in the paper's model.",
        wrong.WithoutBias,
        hint="what belongs where",
    ),
    Misconception(
        "first-head-blocked",
        "Your mask reaches the first head only; it must act on the scores of all.",
        wrong.FirstHeadBlocked,
        hint="attention for all heads at once",
    ),
    Misconception(
        "mask-gets-adimension",
        "You give the mask one more dimension, as the Annotated Transformer does. Here it already "
        "broadcasts to the scores (B, h, n_q, n_k).",
        wrong.MaskGetsADimension,
        hint="attention for all heads at once",
    ),
    Misconception(
        "mask-gets-adimension",
        "You give the mask one more dimension, as the Annotated Transformer does. Here it already "
        "broadcasts to the scores (B, h, n_q, n_k).",
        wrong.MaskGetsADimensionUnseen,
        hint="attention for all heads at once",
    ),
    Misconception(
        "ignores-mask",
        "Your module ignores the mask.",
        wrong.IgnoresMask,
        hint="attention for all heads at once",
    ),
    Misconception(
        "inverted-mask",
        "Your mask is inverted. In the Annotated Transformer and nanoGPT 0 means masked; here True does.",
        wrong.InvertedMask,
        hint="attention for all heads at once",
    ),
    Misconception(
        "mask-after-softmax",
        "Your mask acts after the softmax, so rows no longer sum to 1. Mask the scores, before it.",
        wrong.MaskAfterSoftmax,
        hint="attention for all heads at once",
    ),
    Misconception(
        "masked-with-zero",
        "You set masked scores to 0, and exp(0) is 1, not 0. Use −inf or a large negative number.",
        wrong.MaskedWithZero,
        hint="attention for all heads at once",
    ),
    Misconception(
        "mask-added",
        "You add the mask to the scores, where True counts as 1. Set masked scores to −inf instead.",
        wrong.MaskAdded,
        hint="attention for all heads at once",
    ),
    Misconception(
        "attention-dropout",
        "You apply dropout, as the paper and many repositories do; here the module has none.",
        wrong.AttentionDropout,
        hint="attention for all heads at once",
    ),
    Misconception(
        "attention-dropout",
        "You apply dropout, as the paper and many repositories do; here the module has none.",
        wrong.OutputDropout,
        hint="attention for all heads at once",
    ),
    Misconception(
        "mean-weights",
        "You average the weights over the heads, as nn.MultiheadAttention does by default. Return each head's own.",
        wrong.MeanWeights,
        hint="attention for all heads at once",
    ),
    Misconception(
        "weights-first",
        "You return (weights, output); expected (output, weights).",
        wrong.WeightsFirst,
        hint="attention for all heads at once",
    ),
    Misconception(
        "any-number-of-heads",
        "Your constructor accepts a number of heads that does not divide d_model. Raise an error if d_model % "
        "num_heads is not 0.",
        wrong.AnyNumberOfHeads,
        hint="what belongs where",
    ),
)
