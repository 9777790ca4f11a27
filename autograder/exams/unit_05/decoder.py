"""The decoder block."""

import torch.nn.functional as F
from torch import Tensor, nn

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_05 import block_steps as step
from autograder.exams.unit_05.block_steps import DecoderSteps, in_both_orders
from autograder.exams.unit_05.encoder import D_MODEL, FORBIDDEN, block_sizes
from course_lib.nn.blocks import DecoderBlock
from course_lib.nn.masks import create_look_ahead_mask
from course_lib.nn.multihead import MultiHeadAttention


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


class _CrossAttendsItself(DecoderSteps):
    def look_across(self, y, memory, mask):
        return self.cross_attention(y, y, y)[0]


class _OneAttention(DecoderSteps):
    def look_across(self, y, memory, mask):
        return self.self_attention(y, memory, memory, mask)[0]


class _CrossFirst(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.around(x, self.norm1, lambda y: self.look_across(y, memory, memory_mask))
        x = self.around(x, self.norm2, lambda y: self.look(y, self_mask))
        return self.around(x, self.norm3, self.feed_forward)


class _NoCross(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        x = self.around(x, self.norm1, lambda y: self.look(y, self_mask))
        return self.around(x, self.norm3, self.feed_forward)


class _NormalisesMemory(DecoderSteps):
    def look_across(self, y, memory, mask):
        return super().look_across(y, self.norm2(memory), mask)


class _NoSelfMask(DecoderSteps):
    def look(self, y, mask):
        return super().look(y, None)


class _NoMemoryMask(DecoderSteps):
    def look_across(self, y, memory, mask):
        return super().look_across(y, memory, None)


class _MasksSwapped(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, memory_mask, self_mask)


class _SelfMaskInverted(DecoderSteps):
    def look(self, y, mask):
        return super().look(y, None if mask is None else ~mask)


class _MemoryMaskInverted(DecoderSteps):
    def look_across(self, y, memory, mask):
        return super().look_across(y, memory, None if mask is None else ~mask)


class _OwnLookAhead(DecoderSteps):
    def look(self, y, mask):
        return super().look(y, create_look_ahead_mask(y.shape[1]))


class _OneAttentionByTwoNames(DecoderSteps):
    def __init__(self, *sizes, **options):
        super().__init__(*sizes, **options)
        self.cross_attention = self.self_attention


class _MemoryDetached(DecoderSteps):
    def look_across(self, y, memory, mask):
        return super().look_across(y, memory.detach(), mask)


class _ReturnsWeights(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        return super().forward(x, memory, self_mask, memory_mask), self.cross_attention(x, memory, memory)[1]


def _slip(step: type) -> type:
    return type(step.__name__, (step, DecoderSteps), {})


class _WrittenOut(nn.Module):
    """Both orders in full; torch's norms."""

    def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
        super().__init__()
        self.cross_attention = MultiHeadAttention(d_model, num_heads)
        self.self_attention = MultiHeadAttention(d_model, num_heads)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(d_model) for _ in range(3))
        layers = nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model)
        self.feed_forward = nn.Sequential(*layers)
        self.drop, self.norm_first = nn.Dropout(dropout), norm_first

    def forward(self, x, memory, self_mask=None, memory_mask=None):
        if self.norm_first:
            y = self.norm1(x)
            x = x + self.drop(self.self_attention(y, y, y, self_mask)[0])
            x = x + self.drop(self.cross_attention(self.norm2(x), memory, memory, memory_mask)[0])
            return x + self.drop(self.feed_forward(self.norm3(x)))
        x = self.norm1(x + self.drop(self.self_attention(x, x, x, self_mask)[0]))
        x = self.norm2(x + self.drop(self.cross_attention(x, memory, memory, memory_mask)[0]))
        return self.norm3(x + self.drop(self.feed_forward(x)))


class _OneLine(DecoderSteps):
    def around(self, x, norm, sublayer):
        change = F.dropout(sublayer(norm(x) if self.norm_first else x), self.drop.p, self.training)
        return x + change if self.norm_first else norm(x + change)


class _InALoop(DecoderSteps):
    def forward(self, x, memory, self_mask=None, memory_mask=None):
        steps = (
            (self.norm1, lambda y: self.look(y, self_mask)),
            (self.norm2, lambda y: self.look_across(y, memory, memory_mask)),
            (self.norm3, self.feed_forward),
        )
        for norm, sublayer in steps:
            x = self.around(x, norm, sublayer)
        return x


class _ByName(DecoderSteps):
    def look_across(self, y, memory, mask):
        output, _weights = self.cross_attention(q=y, k=memory, v=memory, mask=mask)
        return output


decoder_block = ModuleExam(
    exercise="DecoderBlock",
    covers=("B stacks",),
    module=DecoderBlock,
    outputs=("output",),
    parts=("self_attention", "cross_attention", "feed_forward", "norm1", "norm2", "norm3"),
    forbidden=FORBIDDEN,
    criteria=(
        ModuleCriterion("norms after the sums", 1, _inputs, visible=True),
        ModuleCriterion("norms before the sublayers", 1, lambda draw: _inputs(draw, True), visible=True),
        *in_both_orders("self_mask reaches self-attention", 0.5, _self_masked, "reach of later tokens", visible=True),
        *in_both_orders(
            "memory_mask reaches cross-attention", 0.5, _memory_masked, "reach of masked memory", visible=True
        ),
        *in_both_orders("dropout on each sublayer's output", 0.5, _dropped, "values in both modes"),
        *in_both_orders("gradients reach x and the memory", 0.5, _inputs, "gradients", side=True),
    ),
    misconceptions=(
        Misconception(
            "cross-attends-itself",
            "Your cross-attention takes keys and values from the target: they come from memory.",
            _CrossAttendsItself,
            hint="what is new",
        ),
        Misconception(
            "one-attention",
            "You use self_attention twice: cross_attention has parameters of its own.",
            _OneAttention,
            hint="what is new",
        ),
        Misconception(
            "one-attention-by-two-names",
            "Your self_attention and cross_attention are one module under two names: make two of them.",
            _OneAttentionByTwoNames,
            hint="what is new",
        ),
        Misconception(
            "memory-detached",
            "No gradient reaches memory: detach() or no_grad() cuts it off from the encoder.",
            _MemoryDetached,
            hint="what is new",
        ),
        Misconception(
            "cross-first",
            "Your cross-attention comes first: self-attention does.",
            _CrossFirst,
            hint="what is new",
        ),
        Misconception(
            "no-cross",
            "Your block has no cross-attention: after self-attention, attend to memory.",
            _NoCross,
            hint="what is new",
        ),
        Misconception(
            "normalises-memory",
            "You normalize memory: here only the target is normalized, and memory is used as it comes.",
            _NormalisesMemory,
            hint="two orders",
        ),
        Misconception(
            "no-self-mask",
            "The self_mask doesn't reach your self-attention: pass it on, in both orders.",
            _NoSelfMask,
            hint="two masks",
        ),
        Misconception(
            "no-memory-mask",
            "The memory_mask doesn't reach your cross-attention: pass it on, in both orders.",
            _NoMemoryMask,
            hint="two masks",
        ),
        Misconception(
            "masks-swapped",
            "Your masks are swapped: self_mask goes to self_attention, memory_mask to cross_attention.",
            _MasksSwapped,
            hint="two masks",
        ),
        Misconception(
            "self-mask-inverted",
            "You invert self_mask: here True means masked, for MultiHeadAttention as well, so pass it on as it is.",
            _SelfMaskInverted,
            hint="two masks",
        ),
        Misconception(
            "memory-mask-inverted",
            "You invert memory_mask: here True means masked, for MultiHeadAttention as well, so pass it on as it is.",
            _MemoryMaskInverted,
            hint="two masks",
        ),
        Misconception(
            "own-look-ahead",
            "Your block masks the future by itself, as in GPT. Here the caller decides: without a self_mask nothing is "
            "masked.",
            _OwnLookAhead,
            hint="two masks",
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
            "norm-of-sublayer",
            "With norm_first=False you normalize the sublayer's output and then add x: normalize the sum, norm(x + …).",
            _slip(step.NormOfSublayer),
            hint="two orders",
        ),
        Misconception(
            "adds-normalised",
            "With norm_first=True you add the normalized x: the residual is x itself.",
            _slip(step.AddsNormalised),
            hint="two orders",
        ),
        Misconception(
            "no-residual",
            "The residual connection is missing: compute x + sublayer(x).",
            _slip(step.NoResidual),
            hint="two orders",
        ),
        Misconception(
            "no-dropout",
            "Your block has no dropout on the outputs of its sublayers.",
            _slip(step.NoDropout),
            hint="two orders",
        ),
        Misconception(
            "dropout-after-sum",
            "Your dropout acts on the sum, so it also drops the residual: apply it to the sublayer's output only.",
            _slip(step.DropoutAfterSum),
            hint="two orders",
        ),
        Misconception(
            "dropout-after-norm",
            "Your dropout comes after the norm, as in some public code. Here it acts on the sublayer's output, before "
            "x is added.",
            _slip(step.DropoutAfterNorm),
            hint="two orders",
        ),
        Misconception(
            "always-dropout",
            "Your dropout stays on in eval mode: F.dropout needs training=self.training; nn.Dropout knows by itself.",
            _slip(step.AlwaysDropout),
            hint="two orders",
        ),
        Misconception(
            "norm-unbiased",
            "Your block is right, but its norms use the unbiased standard deviation (d − 1): divide the variance by d, "
            "or use nn.LayerNorm.",
            _slip(step.NormUnbiased),
        ),
        Misconception(
            "returns-weights",
            "Your block returns the attention weights too: return the output alone.",
            _ReturnsWeights,
            hint="what is new",
        ),
    ),
    accepted=(_WrittenOut, _OneLine, _InALoop, _ByName),
)
