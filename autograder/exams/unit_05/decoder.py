"""The decoder block."""

from torch import Tensor

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_05 import block_steps as step
from autograder.exams.unit_05 import decoder_variants as variant
from autograder.exams.unit_05.block_steps import in_both_orders
from autograder.exams.unit_05.encoder import AFTER_NORM, AFTER_SUM, D_MODEL, FORBIDDEN, block_sizes
from course_lib.nn.blocks import DecoderBlock
from course_lib.nn.masks import create_look_ahead_mask


def _inputs(draw: Draw, norm_first: bool = False, dropout: float = 0.0) -> tuple[Arguments, list[Tensor]]:
    sizes, n_tgt, n_src = block_sizes(draw, dropout, norm_first)
    return sizes, [draw.normal(2, n_tgt, D_MODEL), draw.normal(2, n_src, D_MODEL)]


def _self_masked(draw: Draw, norm_first: bool) -> tuple[Arguments, list[Tensor]]:
    """Source and target of one length, so that masks that are swapped raise no error but show."""
    sizes, (x, _) = _inputs(draw, norm_first)
    return sizes, [x, draw.normal(*x.shape), create_look_ahead_mask(x.shape[1])]


def _memory_masked(draw: Draw, norm_first: bool) -> tuple[Arguments, Arguments]:
    sizes, (x, _) = _inputs(draw, norm_first)
    return sizes, [x, draw.normal(*x.shape), None, draw.mask(2, 1, 1, x.shape[1])]


def _dropped(draw: Draw, norm_first: bool) -> tuple[Arguments, list[Tensor]]:
    """With a dropout of 1 nothing is left to chance: sublayers give nothing while training."""
    return _inputs(draw, norm_first, dropout=1.0)


decoder_block = ModuleExam(
    exercise="DecoderBlock",
    covers=("B stacks",),
    module=DecoderBlock,
    outputs=("output",),
    parts=("self_attention", "cross_attention", "feed_forward", "norm1", "norm2", "norm3"),
    forbidden=FORBIDDEN,
    criteria=(
        ModuleCriterion("norms after the sums", 1, _inputs),
        ModuleCriterion("norms before the sublayers", 1, lambda draw: _inputs(draw, True)),
        *in_both_orders("self_mask reaches self-attention", 0.5, _self_masked, "reach of later tokens"),
        *in_both_orders("memory_mask reaches cross-attention", 0.5, _memory_masked, "reach of masked memory"),
        *in_both_orders("dropout on each sublayer's output", 0.5, _dropped, "values in both modes"),
        *in_both_orders("gradients reach x and the memory", 0.5, _inputs, "gradients", side=True),
    ),
    misconceptions=(
        Misconception(
            "cross-attends-itself",
            "Your cross-attention takes keys and values from the target: they come from memory.",
            variant.CrossAttendsItself,
            hint="what is new",
        ),
        Misconception(
            "one-attention",
            "You use self_attention twice: cross_attention has parameters of its own.",
            variant.OneAttention,
            hint="what is new",
        ),
        Misconception(
            "one-attention-by-two-names",
            "Your self_attention and cross_attention are one module under two names: make two of them.",
            variant.OneAttentionByTwoNames,
            hint="what is new",
        ),
        Misconception(
            "memory-detached",
            "No gradient reaches memory: detach() or no_grad() cuts it off from the encoder.",
            variant.MemoryDetached,
            hint="what is new",
        ),
        Misconception(
            "cross-first",
            "Your cross-attention comes first: self-attention does.",
            variant.CrossFirst,
            hint="what is new",
        ),
        Misconception(
            "no-cross",
            "Your block has no cross-attention: after self-attention, attend to memory.",
            variant.NoCross,
            hint="what is new",
        ),
        Misconception(
            "normalises-memory",
            "You normalize memory: here only the target is normalized, and memory is used as it comes.",
            variant.NormalisesMemory,
            hint="two orders",
        ),
        Misconception(
            "no-self-mask",
            "The self_mask doesn't reach your self-attention: pass it on, in both orders.",
            variant.NoSelfMask,
            hint="two masks",
        ),
        Misconception(
            "no-memory-mask",
            "The memory_mask doesn't reach your cross-attention: pass it on, in both orders.",
            variant.NoMemoryMask,
            hint="two masks",
        ),
        Misconception(
            "masks-swapped",
            "Your masks are swapped: self_mask goes to self_attention, memory_mask to cross_attention.",
            variant.MasksSwapped,
            hint="two masks",
        ),
        Misconception(
            "self-mask-inverted",
            "Tokens that self_mask hides change your outputs, and not every visible one does, as if it were inverted: "
            "pass it on as it is.",
            variant.SelfMaskInverted,
            hint="two masks",
        ),
        Misconception(
            "memory-mask-inverted",
            "Tokens that memory_mask hides change your outputs, and not every visible one does, as if it were "
            "inverted: pass it on as it is.",
            variant.MemoryMaskInverted,
            hint="two masks",
        ),
        Misconception(
            "own-look-ahead",
            "Your block masks the future by itself, as in GPT. Here the caller decides: without a self_mask nothing is "
            "masked.",
            variant.OwnLookAhead,
            hint="two masks",
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
            "norm-of-sublayer",
            "With norm_first=False you normalize the sublayer's output and then add x: normalize the sum, norm(x + …).",
            variant.mixed(step.NormOfSublayer),
            hint="two orders",
        ),
        Misconception(
            "adds-normalised",
            "With norm_first=True you add the normalized x: the residual is x itself.",
            variant.mixed(step.AddsNormalised),
            hint="two orders",
        ),
        Misconception(
            "no-residual",
            "The residual connection is missing: compute x + sublayer(x).",
            variant.mixed(step.NoResidual),
            hint="two orders",
        ),
        Misconception(
            "no-dropout",
            "Your block has no dropout on the outputs of its sublayers.",
            variant.mixed(step.NoDropout),
            hint="two orders",
        ),
        Misconception(
            "dropout-after-sum",
            AFTER_SUM,
            variant.mixed(step.DropoutAfterSum),
            hint="two orders",
        ),
        Misconception(
            "dropout-after-norm",
            AFTER_NORM,
            variant.mixed(step.DropoutAfterNorm),
            hint="two orders",
        ),
        Misconception(
            "always-dropout",
            "Your dropout stays on in eval mode: F.dropout needs training=self.training; nn.Dropout knows by itself.",
            variant.mixed(step.AlwaysDropout),
            hint="two orders",
        ),
        Misconception(
            "norm-unbiased",
            "Your block is right, but its norms use the unbiased standard deviation (d − 1): divide the variance by d, "
            "or use nn.LayerNorm.",
            variant.mixed(step.NormUnbiased),
        ),
        Misconception("dropout-after-sum", AFTER_SUM, variant.mixed(step.DropoutAfterSumAfter), hint="two orders"),
        Misconception("dropout-after-norm", AFTER_NORM, variant.mixed(step.DropoutAfterNormAfter), hint="two orders"),
        Misconception(
            "dropout-on-input",
            "Your dropout acts on what goes into the sublayers; here it acts on what comes out, before x is added.",
            variant.mixed(step.DropoutOnInput),
            hint="two orders",
        ),
        Misconception(
            "no-dropout-across",
            "The output of your cross-attention is added without dropout: all three sublayers have it.",
            variant.NoDropoutAcross,
            hint="two orders",
        ),
        Misconception(
            "no-dropout-on-network",
            "The output of your feed-forward network is added without dropout: all three sublayers have it.",
            variant.mixed(step.DropoutOnAttentionOnly),
            hint="two orders",
        ),
        Misconception(
            "no-norms",
            "Your block never normalizes: norm1, norm2 and norm3 belong to it.",
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
            "normalises-memory",
            "You normalize memory: here only the target is normalized, and memory is used as it comes.",
            variant.NormalisesMemoryBefore,
            hint="two orders",
        ),
        Misconception(
            "query-not-normalised",
            "With norm_first=True the queries of your cross-attention are not normalized: they are norm2(x).",
            variant.QueryNotNormalised,
            hint="two orders",
        ),
        Misconception(
            "last-norms-swapped",
            "Your norm2 and norm3 are swapped: norm2 belongs to cross-attention, norm3 to the network.",
            variant.LastNormsSwapped,
            hint="two orders",
        ),
        Misconception(
            "norm-used-twice",
            "You use norm2 twice: the third sublayer has norm3.",
            variant.SecondNormTwice,
            hint="two orders",
        ),
        Misconception(
            "one-norm", "You use norm1 for every sublayer: each has its own.", variant.OneNorm, hint="two orders"
        ),
        Misconception(
            "cross-first",
            "Your cross-attention comes first: self-attention does.",
            variant.CrossFirstWithItsNorm,
            hint="what is new",
        ),
        Misconception(
            "network-before-cross",
            "Your feed-forward network comes before cross-attention: it is the last sublayer.",
            variant.NetworkBeforeCross,
            hint="what is new",
        ),
        Misconception(
            "no-residual-across",
            "There is no residual connection around your cross-attention: add x to what it returns.",
            variant.NoResidualAcross,
            hint="what is new",
        ),
        Misconception(
            "returns-weights",
            "Your block returns the attention weights too: return the output alone.",
            variant.ReturnsWeights,
            hint="what is new",
        ),
    ),
    accepted=(variant.WrittenOut, variant.OneLine, variant.InALoop, variant.ByName),
)
