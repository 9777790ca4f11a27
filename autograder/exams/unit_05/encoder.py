"""The encoder block."""

import torch.nn.functional as F
from torch import Tensor, nn

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_05 import block_steps as step
from autograder.exams.unit_05.block_steps import EncoderSteps, in_both_orders
from course_lib.nn.blocks import EncoderBlock
from course_lib.nn.multihead import MultiHeadAttention

HEADS, D_MODEL = 2, 6
IN_PLACE = "You change the x of your caller in place: write x = x + …, not x += …."
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


class _NoMask(EncoderSteps):
    def look(self, y, mask):
        return super().look(y, None)


class _MaskInverted(EncoderSteps):
    def look(self, y, mask):
        return super().look(y, None if mask is None else ~mask)


class _OneNorm(EncoderSteps):
    def around(self, x, norm, sublayer):
        return super().around(x, self.norm1, sublayer)


class _NormsSwapped(EncoderSteps):
    def around(self, x, norm, sublayer):
        return super().around(x, self.norm2 if norm is self.norm1 else self.norm1, sublayer)


class _QueriesOnlyNormalised(EncoderSteps):
    def around(self, x, norm, sublayer):
        if self.norm_first and norm is self.norm1:
            return x + self.drop(self.self_attention(norm(x), x, x)[0])
        return super().around(x, norm, sublayer)


class _SecondReadsInput(EncoderSteps):
    """The network takes the block's input, not what attention made of it."""

    def forward(self, x, mask=None):
        self.around(x, self.norm1, lambda y: self.look(y, mask))
        return self.around(x, self.norm2, self.feed_forward)


class _NoSecondResidual(EncoderSteps):
    def forward(self, x, mask=None):
        x = self.around(x, self.norm1, lambda y: self.look(y, mask))
        if self.norm_first:
            return self.drop(self.feed_forward(self.norm2(x)))
        return self.norm2(self.drop(self.feed_forward(x)))


class _ReturnsWeights(EncoderSteps):
    def forward(self, x, mask=None):
        return super().forward(x, mask), self.self_attention(x, x, x, mask)[1]


def _slip(step: type) -> type:
    return type(step.__name__, (step, EncoderSteps), {})


class _WrittenOut(nn.Module):
    """Both orders in full; torch's norms."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model)
        )
        self.dropout1, self.dropout2 = nn.Dropout(dropout), nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(self, x, mask=None):
        if self.norm_first:
            y = self.norm1(x)
            attended, _ = self.self_attention(y, y, y, mask)
            x = x + self.dropout1(attended)
            return x + self.dropout2(self.feed_forward(self.norm2(x)))
        attended, _ = self.self_attention(x, x, x, mask)
        x = self.norm1(x + self.dropout1(attended))
        return self.norm2(x + self.dropout2(self.feed_forward(x)))


class _OneLine(EncoderSteps):
    def around(self, x, norm, sublayer):
        change = F.dropout(sublayer(norm(x) if self.norm_first else x), self.drop.p, self.training)
        return x + change if self.norm_first else norm(x + change)


class _KeywordMask(EncoderSteps):
    def look(self, y, mask):
        output, _ = self.self_attention(q=y, k=y, v=y, mask=mask)
        return output


class _InBranches(EncoderSteps):
    """Norms that do nothing where they are not wanted."""

    def forward(self, x, mask=None):
        for norm, sublayer in ((self.norm1, lambda y: self.look(y, mask)), (self.norm2, self.feed_forward)):
            before, after = (norm, nn.Identity()) if self.norm_first else (nn.Identity(), norm)
            x = after(x + self.drop(sublayer(before(x))))
        return x


encoder_block = ModuleExam(
    exercise="EncoderBlock",
    covers=("B stacks",),
    module=EncoderBlock,
    outputs=("output",),
    parts=("self_attention", "feed_forward", "norm1", "norm2"),
    forbidden=FORBIDDEN,
    criteria=(
        ModuleCriterion("norms after the sums", 1, _inputs, visible=True),
        ModuleCriterion("norms before the sublayers", 1, lambda draw: _inputs(draw, True), visible=True),
        *in_both_orders("the mask reaches self-attention", 1, _masked, "reach of masked tokens", visible=True),
        *in_both_orders("dropout on each sublayer's output", 0.5, _dropped, "values in both modes"),
        *in_both_orders("x is left unchanged", 0.5, _inputs, "untouched arguments", side=True),
    ),
    misconceptions=(
        Misconception(
            "dropout-after-sum",
            "Your dropout acts on the sum, so it also drops the residual: apply it to the sublayer's output only.",
            _slip(step.DropoutAfterSum),
            hint="details",
        ),
        Misconception(
            "dropout-after-norm",
            "Your dropout comes after the norm, as in some public code. Here it acts on the sublayer's output, before "
            "x is added.",
            _slip(step.DropoutAfterNorm),
            hint="details",
        ),
        Misconception(
            "always-dropout",
            "Your dropout stays on in eval mode: F.dropout needs training=self.training; nn.Dropout knows by itself.",
            _slip(step.AlwaysDropout),
            hint="details",
        ),
        Misconception(
            "no-residual",
            "The residual connection is missing: compute x + sublayer(x).",
            _slip(step.NoResidual),
            hint="two sublayers",
        ),
        Misconception(
            "no-second-residual",
            "The residual connection around the feed-forward network is missing: add x to what it returns.",
            _NoSecondResidual,
            hint="two sublayers",
        ),
        Misconception(
            "second-reads-input",
            "Your feed-forward network takes the input of the block: it takes what the attention sublayer gave.",
            _SecondReadsInput,
            hint="two sublayers",
        ),
        Misconception(
            "norm-of-sublayer",
            "With norm_first=False you normalize the sublayer's output and then add x: normalize the sum, norm(x + …).",
            _slip(step.NormOfSublayer),
            hint="two orders",
        ),
        Misconception(
            "always-after",
            "With norm_first=True your norms still come after the sums (post-norm): normalize before each sublayer.",
            _slip(step.AlwaysAfter),
            hint="two orders",
        ),
        Misconception(
            "always-before",
            "With norm_first=False your norms come before the sublayers (pre-norm), as in GPT-2 and the Annotated "
            "Transformer: normalize after each sum.",
            _slip(step.AlwaysBefore),
            hint="two orders",
        ),
        Misconception(
            "adds-normalised",
            "With norm_first=True you add the normalized x: the residual is x itself.",
            _slip(step.AddsNormalised),
            hint="two orders",
        ),
        Misconception(
            "queries-only-normalised",
            "With norm_first=True you normalize the queries only: keys and values are norm1(x) too.",
            _QueriesOnlyNormalised,
            hint="two orders",
        ),
        Misconception(
            "no-dropout",
            "Your block has no dropout on the outputs of its sublayers.",
            _slip(step.NoDropout),
            hint="details",
        ),
        Misconception(
            "no-mask",
            "The mask doesn't reach your self-attention: pass it on, in both orders.",
            _NoMask,
            hint="details",
        ),
        Misconception(
            "mask-inverted",
            "You invert the mask: here True means masked, for MultiHeadAttention as well, so pass it on as it is.",
            _MaskInverted,
            hint="details",
        ),
        Misconception("one-norm", "You use norm1 twice: the second sublayer has norm2.", _OneNorm, hint="details"),
        Misconception(
            "norms-swapped",
            "Your norms are swapped: norm1 belongs to attention, norm2 to the feed-forward network.",
            _NormsSwapped,
            hint="details",
        ),
        Misconception(
            "norm-unbiased",
            "Your block is right, but its norms use the unbiased standard deviation (d − 1): divide the variance by d, "
            "or use nn.LayerNorm.",
            _slip(step.NormUnbiased),
        ),
        Misconception("in-place", IN_PLACE, _slip(step.InPlace), hint="two orders"),
        Misconception("in-place-before", IN_PLACE, _slip(step.InPlaceBefore), hint="two orders"),
        Misconception(
            "returns-weights",
            "Your block returns the attention weights too: return the output alone.",
            _ReturnsWeights,
            hint="details",
        ),
    ),
    accepted=(_WrittenOut, _OneLine, _KeywordMask, _InBranches),
)
