"""Module exams: the inside of a module is free, its numbers are not."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn import LayerNorm as BuiltIn

from autograder.authoring.audit.audit import audit_exam
from autograder.exam_types import ModuleCriterion, ModuleExam, RefusalCriterion
from autograder.exam_types.exam import Misconception
from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.nn.blocks import EncoderBlock
from course_lib.nn.feedforward import FeedForward
from course_lib.nn.multihead import MultiHeadAttention, merge_heads, split_heads
from course_lib.nn.norm import LayerNorm
from course_lib.nn.positions import LearnedPositions


def draw_norm(draw):
    b, n, d = draw.sizes(3)
    return [d], [draw.normal(b, n, d)]


def draw_norm64(draw):
    (x,) = draw_norm(draw)[1]
    return [x.shape[-1]], [x.double()]


class PlainNorm(nn.Module):
    """A right answer in the simplest style; mistakes derive from it."""

    def __init__(self, d, eps=1e-5):
        super().__init__()
        self.beta, self.gamma, self.eps = nn.Parameter(torch.zeros(d)), nn.Parameter(torch.ones(d)), eps

    def forward(self, x):
        variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.gamma + self.beta


class UnbiasedNorm(PlainNorm):
    def forward(self, x):
        variance, mean = torch.var_mean(x, -1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.gamma + self.beta


class BatchNorm(PlainNorm):
    def forward(self, x):
        variance, mean = torch.var_mean(x, 0, correction=0, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.eps) * self.gamma + self.beta


class NormWithoutGain(nn.Module):
    def __init__(self, d):
        super().__init__()

    def forward(self, x):
        return F.layer_norm(x, x.shape[-1:])


class NamedNorm(nn.Module):
    """The same names and shapes as the reference, in the other order."""

    def __init__(self, d):
        super().__init__()
        self.shift, self.gain = nn.Parameter(torch.zeros(d)), nn.Parameter(torch.ones(d))

    def forward(self, x):
        return torch.addcmul(self.shift, self.gain, F.layer_norm(x, x.shape[-1:]))


NO_PARAMETERS = "Your module has no gain and no shift to learn."

norm = ModuleExam(
    exercise="layer_norm",
    module=LayerNorm,
    outputs=("output",),
    criteria=(
        ModuleCriterion("output", 2, draw_norm),
        ModuleCriterion("gain ones and shift zeros at the start", 1, draw_norm, fresh=True),
        ModuleCriterion("gradients reach x", 0.5, draw_norm, "gradients"),
        ModuleCriterion("float64", 0.25, draw_norm64, "dtypes"),
        ModuleCriterion("x is left unchanged", 0.25, draw_norm, "arguments after"),
    ),
    misconceptions=(
        Misconception("unbiased", "Your variance divides by d − 1.", UnbiasedNorm),
        Misconception("batch-norm", "You normalise over the batch.", BatchNorm),
        Misconception("no-gain", NO_PARAMETERS, NormWithoutGain),
    ),
    accepted=(PlainNorm, nn.LayerNorm, NamedNorm),
)


def draw_attention(draw):
    b, n_q = draw.sizes(2)
    n_k, d = 10, 12  # with two keys, one of them blocked, no scale would show
    return [d, 3], [draw.normal(b, n_q, d), draw.normal(b, n_k, d), draw.normal(b, n_k, d), draw.mask(n_q, n_k)]


class LoopedHeads(nn.Module):
    """Multi-head attention with a loop over heads, parts in another order and under two names."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        assert d_model % num_heads == 0, "num_heads must divide d_model"
        self.layers = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(4))
        self.dense, self.wv, self.wk, self.wq = self.layers
        self.num_heads = num_heads

    def scale(self, width):
        return 1 / math.sqrt(width)

    def forward(self, q, k, v, mask=None):
        heads = []
        parts = (part.chunk(self.num_heads, -1) for part in (self.wq(q), self.wk(k), self.wv(v)))
        for q_j, k_j, v_j in zip(*parts, strict=True):
            scores = q_j @ k_j.mT * self.scale(q_j.shape[-1])
            weights = (scores if mask is None else scores.masked_fill(mask, -1e9)).softmax(-1)
            heads.append((weights @ v_j, weights))
        return self.dense(torch.cat([out for out, _ in heads], -1)), torch.stack([w for _, w in heads], 1)


class EinsumHeads(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide {d_model}")
        self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))
        self.num_heads = num_heads

    def forward(self, q, k, v, mask=None):
        q, k, v = (split_heads(w(x), self.num_heads) for w, x in ((self.wq, q), (self.wk, k), (self.wv, v)))
        output, weights = scaled_dot_product_attention(q, k, v, mask)
        return [self.dense(merge_heads(output)), weights]


class ScaledByModelWidth(LoopedHeads):
    def scale(self, width):
        return 1 / math.sqrt(width * self.num_heads)


class NoLastLayer(EinsumHeads):
    def forward(self, q, k, v, mask=None):
        self.dense = nn.Identity()
        return super().forward(q, k, v, mask)


class AnyHeads(LoopedHeads):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, 1)
        self.num_heads = num_heads


attention = ModuleExam(
    exercise="multi_head",
    module=MultiHeadAttention,
    outputs=("output", "weights"),
    parts=("wq", "wk", "wv", "dense"),
    properties={"weights": "rows sum to one"},
    forbidden=("torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"),
    criteria=(
        ModuleCriterion("output and weights", 4, draw_attention),
        RefusalCriterion(
            "an error when heads do not divide", 1, lambda draw: ([12, 4], None), lambda draw: ([12, 5], None)
        ),
    ),
    misconceptions=(
        Misconception("model-width", "Your scale is 1/√d_model.", ScaledByModelWidth),
        Misconception("no-last-layer", "You forget the last layer, dense.", NoLastLayer),
        Misconception("any-heads", "Your constructor takes any number of heads.", AnyHeads),
    ),
    accepted=(LoopedHeads, EinsumHeads),
)


def draw_feed_forward(draw):
    b, n, d, d_ff = draw.sizes(4)
    return [d, d_ff], [draw.normal(b, n, d)]


class FreeNames(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(max(dropout, 0.5)), nn.Linear(d_ff, d_model)
        )

    def forward(self, x):
        return self.net(x)


class LastFirst(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__()
        self.second, self.first = nn.Linear(d_ff, d_model), nn.Linear(d_model, d_ff)
        nn.init.zeros_(self.first.bias)

    def forward(self, x):
        return self.second(self.first(x).clamp(min=0))


class Gelu(LastFirst):
    def forward(self, x):
        return self.second(F.gelu(self.first(x)))


class WithoutBias(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.first, self.second = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        return self.second(self.first(x).relu())


feed_forward = ModuleExam(
    exercise="feed_forward",
    module=FeedForward,
    outputs=("output",),
    criteria=(ModuleCriterion("output", 2, draw_feed_forward),),
    misconceptions=(
        Misconception("gelu", "You use GELU.", Gelu),
        Misconception("no-bias", "Your layers have no bias.", WithoutBias),
    ),
    accepted=(FreeNames, LastFirst),
)


def draw_positions(draw):
    b, n, d = draw.sizes(3)
    return [n + 1, d], [draw.normal(b, n, d)]


def draw_too_long(draw):
    (max_len, d), (x,) = draw_positions(draw)
    return [max_len, d], [torch.cat([x, x, x], 1)]


class EmbeddedPositions(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.rows = nn.Embedding(max_len, d_model)

    def forward(self, x):
        assert x.shape[1] <= self.rows.num_embeddings, f"{x.shape[1]} > {self.rows.num_embeddings}"
        return x + self.rows(torch.arange(x.shape[1]))


class SilentlyCut(EmbeddedPositions):
    def forward(self, x):
        return x + self.rows(torch.arange(x.shape[1]).clamp(max=self.rows.num_embeddings - 1))


class WithoutAWord(EmbeddedPositions):
    def forward(self, x):
        if x.shape[1] > self.rows.num_embeddings:
            raise ValueError
        return super().forward(x)


positions = ModuleExam(
    exercise="learned_positions",
    module=LearnedPositions,
    outputs=("output",),
    criteria=(
        ModuleCriterion("output", 1, draw_positions),
        RefusalCriterion("an error past max_len", 1, draw_positions, draw_too_long),
    ),
    misconceptions=(
        Misconception("silently-cut", "Past max_len you repeat the last row.", SilentlyCut),
        Misconception("without-a-word", "Your error says nothing.", WithoutAWord),
    ),
    accepted=(EmbeddedPositions, LearnedPositions),
)


class TorchNorms(nn.Module):
    """A block with other modules inside its parts than the reference has."""

    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm2, self.norm1 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.feed_forward = FreeNames(d_model, d_ff)
        self.self_attention = MultiHeadAttention(d_model, num_heads)

    def forward(self, x, mask=None):
        x = self.norm1(x + self.self_attention(x, x, x, mask)[0])
        return self.norm2(x + self.feed_forward(x))


class OneNorm(TorchNorms):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__(d_model, num_heads, d_ff)
        del self.norm2

    def forward(self, x, mask=None):
        x = self.norm1(x + self.self_attention(x, x, x, mask)[0])
        return self.norm1(x + self.feed_forward(x))


class NormsSwapped(TorchNorms):
    def forward(self, x, mask=None):
        x = self.norm2(x + self.self_attention(x, x, x, mask)[0])
        return self.norm1(x + self.feed_forward(x))


def draw_block(draw):
    return [6, 2, 10], [draw.normal(3, 4, 6), draw.mask(4, 4)]


block = ModuleExam(
    exercise="encoder_block",
    module=EncoderBlock,
    outputs=("output",),
    parts=("self_attention", "feed_forward", "norm1", "norm2"),
    criteria=(ModuleCriterion("output", 3, draw_block),),
    misconceptions=(
        Misconception("one-norm", "One norm serves twice.", OneNorm),
        Misconception("norms-swapped", "norm1 belongs to attention, norm2 to the feed-forward network.", NormsSwapped),
    ),
    accepted=(TorchNorms, EncoderBlock),
)

EXAMS = (norm, attention, feed_forward, positions, block)
BY_NAME = pytest.mark.parametrize("exam", EXAMS, ids=lambda exam: exam.exercise)


class Stub(nn.Module):
    def __init__(self, *sizes):
        raise NotImplementedError


class ForwardIsStub(FeedForward):
    def forward(self, x):
        raise NotImplementedError


@BY_NAME
def test_the_answers_that_it_knows_are_graded_rightly_with_every_seed(exam):
    audit = audit_exam(exam, seeds=20)
    assert audit.sound, audit.problems


@BY_NAME
@pytest.mark.parametrize("blank", [..., None, Stub])
def test_blank_answers_get_nothing(exam, blank):
    verdict = exam.grade(blank)
    assert verdict.score == 0
    assert not verdict.tried


def test_module_without_its_forward_is_a_stub(visible):
    assert not feed_forward.grade(ForwardIsStub).tried
    with pytest.raises(NotImplementedError):
        visible(feed_forward, ForwardIsStub)


def make(parent=nn.Module, **methods):
    return type("Made", (parent,), methods)


class NoSuperInit(nn.Module):
    def __init__(self, d):
        self.eps = 1e-5

    def forward(self, x):
        return x


class RaisesInForward(PlainNorm):
    def forward(self, x):
        return x @ x


class WrongShapes(PlainNorm):
    def __init__(self, d):
        super().__init__(d + 1)


class BothZero(PlainNorm):
    def __init__(self, d):
        super().__init__(d)
        nn.init.zeros_(self.gamma)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (3, "should be a class derived from nn.Module, but it is of type int"),
        ("LayerNorm", "of type str"),
        (LayerNorm(4), "hand in the class, without parentheses"),
        (lambda d: d, "gives a int, expected an nn.Module"),
        (make(__init__=lambda self: None), "raised TypeError"),
        (make(__init__=lambda self, d: 1 / 0), "raised ZeroDivisionError"),
        (NoSuperInit, "raised AttributeError"),
        (RaisesInForward, "return x @ x"),
        (make(PlainNorm, forward=lambda self: None), "raised TypeError"),
        (make(PlainNorm, forward=lambda self, x: None), "returned nothing"),
        (make(PlainNorm, forward=lambda self, x: x * float("nan")), "is nan, expected a finite number"),
        (WrongShapes, "expected the shapes ("),
        (BothZero, "cannot be told which is which: expected gain, shift"),
        (make(PlainNorm, forward=lambda self, x: torch.zeros(2)), "has shape (2,)"),
    ],
)
def test_odd_answers_end_in_a_sentence(answer, sentence, visible):
    verdict = norm.grade(answer)
    assert not verdict.criteria[0].passed
    assert sentence in verdict.criteria[0].message
    assert sentence in visible(norm, answer)


def test_missing_part_is_named():
    verdict = attention.grade(make(EinsumHeads, __init__=lambda self, d, h: nn.Module.__init__(self)))
    assert verdict.criteria[0].message == (
        "multi_head has no wq, wk, wv and dense: assign self.wq, self.wk, self.wv and self.dense in __init__"
    )


def test_part_of_another_shape_is_named():
    class Narrow(EinsumHeads):
        def __init__(self, d_model, num_heads):
            super().__init__(d_model, num_heads)
            self.wk = nn.Linear(d_model, num_heads)

    class Bare(EinsumHeads):
        def __init__(self, d_model, num_heads):
            super().__init__(d_model, num_heads)
            self.wk = nn.Linear(d_model, d_model, bias=False)

    assert "wk.weight has shape (3, 12), expected (12, 12)" in str(attention.grade(Narrow))
    assert "expected wk.weight (12, 12) of an nn.Linear, wk.bias (12,)" in str(attention.grade(Bare))


def test_transposed_parameters_of_ones_own_are_not_mistaken_for_linear_layers():
    class OwnMatrices(nn.Module):
        def __init__(self, d_model, d_ff):
            super().__init__()
            self.w1, self.b1 = nn.Parameter(torch.randn(d_model, d_ff)), nn.Parameter(torch.zeros(d_ff))
            self.w2, self.b2 = nn.Parameter(torch.randn(d_ff, d_model)), nn.Parameter(torch.zeros(d_model))

    assert "of an nn.Linear" in feed_forward.grade(OwnMatrices).diagnosis


def test_forbidden_modules_are_found_in_the_constructor_and_by_any_name():
    class Wraps(nn.Module):
        def __init__(self, d):
            super().__init__()
            self.inner = nn.LayerNorm(d)

    class Imports(nn.Module):
        def __init__(self, d):
            super().__init__()
            self.inner = BuiltIn(d)

    class Calls(PlainNorm):
        def forward(self, x):
            return F.layer_norm(x, x.shape[-1:], self.gamma, self.beta)

    strict = ModuleExam(
        exercise="strict_norm",
        module=LayerNorm,
        outputs=("output",),
        criteria=norm.criteria,
        forbidden=("torch.nn.LayerNorm", "torch.nn.functional.layer_norm"),
    )
    for answer in (Wraps, Imports, Calls):
        assert "strict_norm may not use torch.nn" in strict.grade(answer).criteria[0].message
    assert strict.grade(PlainNorm).score == strict.points


def test_detached_output_and_changed_input_cost_what_they_are_worth():
    class Detached(PlainNorm):
        def forward(self, x):
            return super().forward(x).detach()

    class InPlace(PlainNorm):
        def forward(self, x):
            result = super().forward(x)
            x.data.zero_()
            return result

    failed = {answer: {c.name for c in norm.grade(answer).criteria if not c.passed} for answer in (Detached, InPlace)}
    assert failed[Detached] == {"gradients reach x"}
    assert "x is left unchanged" in failed[InPlace]


def test_constructor_that_refuses_everything_is_no_refusal():
    class Never(nn.Module):
        def __init__(self, *sizes):
            raise ValueError("no")

    assert attention.grade(Never).score == 0


@BY_NAME
def test_visible_check_passes_right_answers_and_knows_stubs(exam, visible):
    for answer in (exam.reference, *exam.accepted):
        assert visible(exam, answer).startswith(f"✓ {exam.exercise}")
    with pytest.raises(NotImplementedError, match="not written yet"):
        visible(exam, Stub)
    with pytest.raises(NotImplementedError, match="not written yet"):
        visible(exam, ...)


def test_visible_check_names_mistakes(visible):
    for exam, answer in ((norm, UnbiasedNorm), (attention, ScaledByModelWidth), (feed_forward, Gelu)):
        sentence = next(m.says for m in exam.misconceptions if m.answer is answer)
        assert f"→ {sentence}" in visible(exam, answer)


class KeepsTheNumberOfKeys(LoopedHeads):
    """Of its first call, for all that follow."""

    keys = None

    def forward(self, q, k, v, mask=None):
        self.keys = self.keys or k.shape[1]
        return super().forward(q, k[:, : self.keys], v[:, : self.keys], mask)


def test_what_a_module_keeps_of_a_shorter_call_shows():
    verdict = attention.grade(KeepsTheNumberOfKeys)
    assert verdict.score < attention.points
    assert {mistake.id for mistake in verdict.mistakes} == {"variation/kept"}
