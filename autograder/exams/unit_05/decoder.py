"""The decoder block."""

import torch.nn.functional as F
from torch import Tensor, nn

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_05.block_steps import DecoderSteps
from autograder.exams.unit_05.encoder import D_MODEL, FORBIDDEN, block_sizes
from course_lib.nn.blocks import DecoderBlock
from course_lib.nn.masks import create_look_ahead_mask
from course_lib.nn.multihead import MultiHeadAttention


def _inputs(draw: Draw, norm_first: bool = False, dropout: float = 0.0) -> tuple[Arguments, list[Tensor]]:
    sizes, n_tgt, n_src = block_sizes(draw, dropout, norm_first)
    return sizes, [draw.normal(2, n_tgt, D_MODEL), draw.normal(2, n_src, D_MODEL)]


def _self_masked(draw: Draw) -> tuple[Arguments, list[Tensor]]:
    sizes, (x, memory) = _inputs(draw)
    return sizes, [x, memory, create_look_ahead_mask(x.shape[1])]


def _memory_masked(draw: Draw) -> tuple[Arguments, Arguments]:
    sizes, (x, memory) = _inputs(draw)
    return sizes, [x, memory, None, draw.mask(2, 1, 1, memory.shape[1])]


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


class _AlwaysAfter(DecoderSteps):
    def before(self, x, norm, sublayer):
        return self.after(x, norm, sublayer)


class _NoDropout(DecoderSteps):
    def after(self, x, norm, sublayer):
        return norm(x + sublayer(x))


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
        ModuleCriterion("self_mask reaches self-attention", 0.5, _self_masked, visible=True),
        ModuleCriterion("memory_mask reaches cross-attention", 0.5, _memory_masked, visible=True),
        ModuleCriterion(
            "dropout on each sublayer's output", 0.5, lambda draw: _inputs(draw, dropout=1.0), "values in training"
        ),
        ModuleCriterion("gradients reach x and the memory", 0.5, _inputs, "gradients"),
    ),
    misconceptions=(
        Misconception(
            "cross-attends-itself",
            "Your cross-attention looks at the target itself: its keys and values come from memory.",
            _CrossAttendsItself,
            hint="what is new",
        ),
        Misconception(
            "one-attention",
            "You use self_attention twice: cross_attention has weights of its own.",
            _OneAttention,
            hint="what is new",
        ),
        Misconception(
            "cross-first", "Your cross-attention comes first: self-attention does.", _CrossFirst, hint="what is new"
        ),
        Misconception(
            "no-cross", "Your block never looks at memory: it lacks cross-attention.", _NoCross, hint="what is new"
        ),
        Misconception(
            "normalises-memory",
            "You normalise memory: in this block it is taken as it comes, and only the target is normalised.",
            _NormalisesMemory,
            hint="two orders",
        ),
        Misconception("no-self-mask", "Your self_mask never reaches self-attention.", _NoSelfMask, hint="two masks"),
        Misconception(
            "no-memory-mask", "Your memory_mask never reaches cross-attention.", _NoMemoryMask, hint="two masks"
        ),
        Misconception(
            "always-after",
            "Your block has one order for both: norm_first=True puts norms first.",
            _AlwaysAfter,
            hint="two orders",
        ),
        Misconception(
            "no-dropout", "Your block has no dropout on what its sublayers return.", _NoDropout, hint="two orders"
        ),
    ),
    accepted=(_WrittenOut, _OneLine, _InALoop, _ByName),
)
