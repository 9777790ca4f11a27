"""The encoder block."""

from torch import Tensor

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_05 import block_steps as step
from autograder.exams.unit_05 import encoder_variants as variant
from autograder.exams.unit_05.block_steps import in_both_orders
from course_lib.nn.blocks import EncoderBlock

HEADS, D_MODEL = 2, 6
IN_PLACE = "You change the x of your caller in place: write x = x + …, not x += …."
AFTER_SUM = "Your dropout acts on the sum, so it also drops the residual: apply it to the sublayer's output only."
AFTER_NORM = (
    "Your dropout comes after the norm, as in some public code. Here it acts on the sublayer's output, before x "
    "is added."
)
FORBIDDEN = tuple(
    f"torch.nn.{name}"
    for name in ("TransformerEncoderLayer", "TransformerDecoderLayer", "Transformer", "MultiheadAttention")
)


def block_sizes(draw: Draw, dropout: float, norm_first: bool) -> tuple[list[object], int, int]:
    """The constructor's arguments and two lengths; small, so that visible checks stay small."""
    d_ff, n, other = (size for size in draw.sizes(8) if size in (4, 5, 7))
    return [D_MODEL, HEADS, d_ff, dropout, norm_first], n, other


def _inputs(draw: Draw, norm_first: bool = False, dropout: float = 0.0) -> tuple[Arguments, list[Tensor]]:
    sizes, n, _ = block_sizes(draw, dropout, norm_first)
    return sizes, [draw.normal(2, n, D_MODEL)]


def _masked(draw: Draw, norm_first: bool) -> tuple[Arguments, list[Tensor]]:
    sizes, (x,) = _inputs(draw, norm_first)
    return sizes, [x, draw.mask(2, 1, 1, x.shape[1])]


def _dropped(draw: Draw, norm_first: bool) -> tuple[Arguments, list[Tensor]]:
    """With a dropout of 1 nothing is left to chance: sublayers give nothing while training."""
    return _inputs(draw, norm_first, dropout=1.0)


encoder_block = ModuleExam(
    exercise="EncoderBlock",
    covers=("B stacks",),
    module=EncoderBlock,
    outputs=("output",),
    parts=("self_attention", "feed_forward", "norm1", "norm2"),
    forbidden=FORBIDDEN,
    criteria=(
        ModuleCriterion("norms after the sums", 1, _inputs),
        ModuleCriterion("norms before the sublayers", 1, lambda draw: _inputs(draw, True)),
        *in_both_orders("the mask reaches self-attention", 1, _masked, "reach of masked tokens"),
        *in_both_orders("dropout on each sublayer's output", 0.5, _dropped, "values in both modes"),
        *in_both_orders("x is left unchanged", 0.5, _inputs, "untouched arguments", side=True),
    ),
    misconceptions=(
        Misconception(
            "dropout-after-sum",
            AFTER_SUM,
            variant.mixed(step.DropoutAfterSum),
            hint="details",
        ),
        Misconception(
            "dropout-after-norm",
            AFTER_NORM,
            variant.mixed(step.DropoutAfterNorm),
            hint="details",
        ),
        Misconception(
            "dropout-after-sum",
            AFTER_SUM,
            variant.mixed(step.DropoutAfterSumAfter),
            hint="details",
        ),
        Misconception(
            "dropout-after-norm",
            AFTER_NORM,
            variant.mixed(step.DropoutAfterNormAfter),
            hint="details",
        ),
        Misconception(
            "dropout-on-input",
            "Your dropout acts on what goes into the sublayers; here it acts on what comes out, before x is added.",
            variant.mixed(step.DropoutOnInput),
            hint="details",
        ),
        Misconception(
            "dropout-on-attention-only",
            "The output of your feed-forward network is added without dropout: both sublayers have it.",
            variant.mixed(step.DropoutOnAttentionOnly),
            hint="details",
        ),
        Misconception(
            "no-norms",
            "Your block never normalizes: norm1 and norm2 belong to it.",
            variant.mixed(step.NoNorms),
            hint="two orders",
        ),
        Misconception(
            "norms-twice",
            "With norm_first=True you normalize the sums as well: there the path around a sublayer has no norm.",
            variant.mixed(step.NormsTwice),
            hint="two orders",
        ),
        Misconception(
            "orders-swapped",
            "Your two orders are swapped: norm_first=True means norms before the sublayers.",
            variant.mixed(step.OrdersSwapped),
            hint="two orders",
        ),
        Misconception(
            "parallel",
            "With norm_first=True both your sublayers take the block's input, as in GPT-J. Here the network takes what "
            "the attention sublayer gave, sum included.",
            variant.Parallel,
            hint="two sublayers",
        ),
        Misconception(
            "residual-of-input",
            "You add the block's input around both sublayers: around the network goes what attention gave.",
            variant.ResidualOfInput,
            hint="two sublayers",
        ),
        Misconception(
            "network-first",
            "Your feed-forward network comes first: attention does.",
            variant.NetworkFirst,
            hint="two sublayers",
        ),
        Misconception(
            "no-mask-before",
            "With norm_first=True the mask doesn't reach your self-attention; in the other order it does.",
            variant.NoMaskBefore,
            hint="details",
        ),
        Misconception(
            "no-mask-after",
            "With norm_first=False the mask doesn't reach your self-attention; in the other order it does.",
            variant.NoMaskAfter,
            hint="details",
        ),
        Misconception(
            "queries-only-normalised",
            "With norm_first=True you normalize the queries only: keys and values are norm1(x) too.",
            variant.QueriesOnlyNormalisedMasked,
            hint="two orders",
        ),
        Misconception(
            "always-dropout",
            "Your dropout stays on in eval mode: F.dropout needs training=self.training; nn.Dropout knows by itself.",
            variant.mixed(step.AlwaysDropout),
            hint="details",
        ),
        Misconception(
            "no-residual",
            "The residual connection is missing: compute x + sublayer(x).",
            variant.mixed(step.NoResidual),
            hint="two sublayers",
        ),
        Misconception(
            "no-second-residual",
            "The residual connection around the feed-forward network is missing: add x to what it returns.",
            variant.NoSecondResidual,
            hint="two sublayers",
        ),
        Misconception(
            "second-reads-input",
            "Your feed-forward network takes the input of the block: it takes what the attention sublayer gave.",
            variant.SecondReadsInput,
            hint="two sublayers",
        ),
        Misconception(
            "norm-of-sublayer",
            "With norm_first=False you normalize the sublayer's output and then add x: normalize the sum, norm(x + …).",
            variant.mixed(step.NormOfSublayer),
            hint="two orders",
        ),
        Misconception(
            "always-after",
            "With norm_first=True your norms still come after the sums (post-norm): normalize before each sublayer.",
            variant.mixed(step.AlwaysAfter),
            hint="two orders",
        ),
        Misconception(
            "always-before",
            "With norm_first=False your norms come before the sublayers (pre-norm), as in GPT-2 and the Annotated "
            "Transformer: normalize after each sum.",
            variant.mixed(step.AlwaysBefore),
            hint="two orders",
        ),
        Misconception(
            "adds-normalised",
            "With norm_first=True you add the normalized x: the residual is x itself.",
            variant.mixed(step.AddsNormalised),
            hint="two orders",
        ),
        Misconception(
            "queries-only-normalised",
            "With norm_first=True you normalize the queries only: keys and values are norm1(x) too.",
            variant.QueriesOnlyNormalised,
            hint="two orders",
        ),
        Misconception(
            "no-dropout",
            "Your block has no dropout on the outputs of its sublayers.",
            variant.mixed(step.NoDropout),
            hint="details",
        ),
        Misconception(
            "no-mask",
            "The mask doesn't reach your self-attention: pass it on, in both orders.",
            variant.NoMask,
            hint="details",
        ),
        Misconception(
            "mask-inverted",
            "Tokens that the mask hides change your outputs, and not every visible one does, as if it were inverted: "
            "pass the mask on as it is.",
            variant.MaskInverted,
            hint="details",
        ),
        Misconception(
            "one-norm", "You use norm1 twice: the second sublayer has norm2.", variant.OneNorm, hint="details"
        ),
        Misconception(
            "norms-swapped",
            "Your norms are swapped: norm1 belongs to attention, norm2 to the feed-forward network.",
            variant.NormsSwapped,
            hint="details",
        ),
        Misconception(
            "norm-unbiased",
            "Your block is right, but its norms use the unbiased standard deviation (d − 1): divide the variance by d, "
            "or use nn.LayerNorm.",
            variant.mixed(step.NormUnbiased),
        ),
        Misconception("in-place", IN_PLACE, variant.mixed(step.InPlace), hint="two orders"),
        Misconception("in-place-before", IN_PLACE, variant.mixed(step.InPlaceBefore), hint="two orders"),
        Misconception(
            "returns-weights",
            "Your block returns the attention weights too: return the output alone.",
            variant.ReturnsWeights,
            hint="details",
        ),
    ),
    accepted=(variant.WrittenOut, variant.OneLine, variant.KeywordMask, variant.InBranches),
)
