"""The encoder block."""

import torch.nn.functional as F
from torch import Tensor, nn

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_05.block_steps import EncoderSteps
from course_lib.nn.blocks import EncoderBlock
from course_lib.nn.multihead import MultiHeadAttention

HEADS, D_MODEL = 2, 6
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


def _masked(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    sizes, (x,) = _inputs(draw)
    return sizes, [x, draw.mask(2, 1, 1, x.shape[1])]


class _NoResidual(EncoderSteps):
    def before(self, x, norm, sublayer):
        return self.drop(sublayer(norm(x)))

    def after(self, x, norm, sublayer):
        return norm(self.drop(sublayer(x)))


class _NormOfSublayer(EncoderSteps):
    def after(self, x, norm, sublayer):
        return x + norm(self.drop(sublayer(x)))


class _AlwaysAfter(EncoderSteps):
    def before(self, x, norm, sublayer):
        return self.after(x, norm, sublayer)


class _AlwaysBefore(EncoderSteps):
    def after(self, x, norm, sublayer):
        return self.before(x, norm, sublayer)


class _AddsNormalised(EncoderSteps):
    def before(self, x, norm, sublayer):
        y = norm(x)
        return y + self.drop(sublayer(y))


class _InPlace(EncoderSteps):
    def after(self, x, norm, sublayer):
        x += self.drop(sublayer(x))
        return norm(x)


class _NoDropout(EncoderSteps):
    def after(self, x, norm, sublayer):
        return norm(x + sublayer(x))


class _DropoutAfterSum(EncoderSteps):
    def after(self, x, norm, sublayer):
        return norm(self.drop(x + sublayer(x)))


class _NoMask(EncoderSteps):
    def look(self, y, mask):
        return super().look(y, None)


class _OneNorm(EncoderSteps):
    def around(self, x, norm, sublayer):
        return super().around(x, self.norm1, sublayer)


class _ReturnsWeights(EncoderSteps):
    def forward(self, x, mask=None):
        return super().forward(x, mask), self.self_attention(x, x, x, mask)[1]


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
        ModuleCriterion("the mask reaches self-attention", 1, _masked, visible=True),
        ModuleCriterion(
            "dropout on each sublayer's output", 0.5, lambda draw: _inputs(draw, dropout=1.0), "values in training"
        ),
        ModuleCriterion("x is left unchanged", 0.5, _inputs, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "dropout-after-sum",
            "Your dropout hits the sum, and with it the path around: drop the sublayer's output only.",
            _DropoutAfterSum,
            hint="details",
        ),
        Misconception(
            "no-residual",
            "Nothing goes around your sublayers: add x to what each returns.",
            _NoResidual,
            hint="two sublayers",
        ),
        Misconception(
            "norm-of-sublayer",
            "You normalise the sublayer's output and add x afterwards: normalise the sum, norm(x + …).",
            _NormOfSublayer,
            hint="two orders",
        ),
        Misconception(
            "always-after",
            "Your block has one order for both: norm_first=True puts norms first.",
            _AlwaysAfter,
            hint="two orders",
        ),
        Misconception(
            "always-before",
            "Your norms always come first: with norm_first=False they come after each sum.",
            _AlwaysBefore,
            hint="two orders",
        ),
        Misconception(
            "adds-normalised",
            "With norm_first you add the normalised x: the path around goes from x itself, untouched.",
            _AddsNormalised,
            hint="two orders",
        ),
        Misconception(
            "no-dropout", "Your block has no dropout on what its sublayers return.", _NoDropout, hint="details"
        ),
        Misconception("no-mask", "Your mask never reaches self-attention.", _NoMask, hint="details"),
        Misconception("one-norm", "You use norm1 twice: the second sublayer has norm2.", _OneNorm, hint="details"),
        Misconception(
            "in-place",
            "You add with +=, which changes the x of your caller: write x = x + ….",
            _InPlace,
            hint="two orders",
        ),
        Misconception(
            "returns-weights",
            "Your block returns the weights too: return the output alone.",
            _ReturnsWeights,
            hint="details",
        ),
    ),
    accepted=(_WrittenOut, _OneLine, _KeywordMask, _InBranches),
)
