"""Learned positions, and what both kinds do past the length they were trained on."""

import torch
from torch import nn

from autograder.exam_types import ExperimentExam, ModuleCriterion, ModuleExam, NumberCriterion, RefusalCriterion
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn.positions import LearnedPositions


def _inputs(draw: Draw) -> tuple[list[int], list[object]]:
    n, batch, d_model = sorted(draw.sizes(3))
    return [batch + 3, d_model], [draw.normal(batch, n, d_model)]


def _full_length(draw: Draw) -> tuple[list[int], list[object]]:
    max_len, d_model = draw.sizes(2)
    return [max_len, d_model], [draw.normal(2, max_len, d_model)]


def _too_long(draw: Draw) -> tuple[list[int], list[object]]:
    max_len, d_model = draw.sizes(2)
    return [max_len, d_model + 20], [draw.normal(2, max_len + 1, d_model + 20)]


class _Variant(LearnedPositions):
    """The reference without its question about the length, for wrong and right variants of its forward."""

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class _Wraps(_Variant):
    def forward(self, x):
        return x + self.table[torch.arange(x.shape[1]) % len(self.table)]


class _Clamps(_Variant):
    def forward(self, x):
        return x + self.table[torch.arange(x.shape[1]).clamp(max=len(self.table) - 1)]


class _Cuts(_Variant):
    def forward(self, x):
        return x[:, : len(self.table)] + self.table[: x.shape[1]]


class _ByBatch(_Variant):
    def forward(self, x):
        return x + self.table[: len(x)].unsqueeze(1)


class _FromOne(_Variant):
    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError(f"length {x.shape[1]} is more than {len(self.table)}")
        return x + self.table[1 : x.shape[1] + 1]


class _WithoutX(_Variant):
    def forward(self, x):
        return self.table[: x.shape[1]].expand_as(x)


class _LastRows(_Variant):
    def forward(self, x):
        return x + self.table[-x.shape[1] :]


class _Detached(_Variant):
    def forward(self, x):
        return x + self.table[: x.shape[1]].detach()


class _InPlace(_Variant):
    def forward(self, x):
        x += self.table[: x.shape[1]]
        return x


class _TooEarly(_Variant):
    def forward(self, x):
        if x.shape[1] >= len(self.table):
            raise ValueError(f"{x.shape[1]} tokens, but {len(self.table)} positions")
        return super().forward(x)


class _Dropout(_Variant):
    def __init__(self, max_len, d_model):
        super().__init__(max_len, d_model)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError(f"{x.shape[1]} tokens, but {len(self.table)} positions")
        return self.dropout(super().forward(x))


class _SaysNothing(_Variant):
    def forward(self, x):
        assert x.shape[1] <= len(self.table)
        return super().forward(x)


class _Frozen(_Variant):
    def __init__(self, max_len, d_model):
        super().__init__(max_len, d_model)
        self.table.requires_grad_(False)


class _Buffer(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.register_buffer("table", torch.randn(max_len, d_model))

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class _NotTrained(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.table = torch.randn(max_len, d_model)

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class _Embedded(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.embedding = nn.Embedding(max_len, d_model)

    def forward(self, x):
        return x + self.embedding(torch.arange(x.shape[1]))


class _EmbeddedWithError(_Embedded):
    def forward(self, x):
        n, max_len = x.shape[1], self.embedding.num_embeddings
        assert n <= max_len, f"{n} tokens do not fit into {max_len} places"
        return x + self.embedding(torch.arange(n)).unsqueeze(0)


class _LeadingOne(nn.Module):
    """The shape of BERT's and ViT's tables."""

    def __init__(self, max_len, d_model):
        super().__init__()
        self.pe = nn.Parameter(torch.randn(1, max_len, d_model) * 0.02)

    def forward(self, x):
        n = x.size(1)
        if n > self.pe.size(1):
            raise ValueError(f"sequence length {n} exceeds max_len {self.pe.size(1)}")
        return x + self.pe[:, :n, :]


class _LikeGPT(nn.Module):
    """Positions as indices of an embedding, made in every call."""

    def __init__(self, max_len, d_model):
        super().__init__()
        self.block_size = max_len
        self.wpe = nn.Embedding(max_len, d_model)

    def forward(self, x):
        b, t, _ = x.size()
        assert t <= self.block_size, f"Cannot forward sequence of length {t}, block size is only {self.block_size}"
        pos = torch.arange(0, t, dtype=torch.long, device=x.device).unsqueeze(0).expand(b, t)
        return x + self.wpe(pos)


class _WithBatch(nn.Module):
    def __init__(self, max_len, d_model):
        super().__init__()
        self.max_len = max_len
        self.rows = nn.Parameter(torch.zeros(max_len, d_model))

    def forward(self, x):
        if x.size(1) > self.max_len:
            raise RuntimeError(f"max_len={self.max_len}, n={x.size(1)}")
        return x + self.rows[None, : x.size(1)]


class _ByList(_Variant):
    def forward(self, x):
        if not x.shape[1] <= len(self.table):
            raise IndexError(f"the longest sequence has {len(self.table)} tokens, this one {x.shape[1]}")
        return torch.stack([x[:, i] + self.table[i] for i in range(x.shape[1])], 1)


IN_SILENCE = "Past max_len your module goes on without a word. Raise an error instead."

NOT_TRAINED = (
    "Your module has no parameter, so no optimizer trains its table. Make an nn.Parameter in __init__ and keep it as "
    "self.something."
)

NO_GRADIENT = "No gradient reaches your table: it is detached, or has requires_grad=False, so it never learns."

learned_positions = ModuleExam(
    exercise="LearnedPositions",
    covers=("A1",),
    module=LearnedPositions,
    outputs=("output",),
    criteria=(
        ModuleCriterion("x with the learned row of each position added", 0.5, _inputs),
        ModuleCriterion("a sequence of max_len tokens", 0.25, _full_length),
        ModuleCriterion("the same in training mode", 0.25, _full_length, "effect of training mode", side=True),
        ModuleCriterion("a gradient reaches the table", 0.5, _full_length, "gradient of the position table", side=True),
        RefusalCriterion(
            "an error past max_len that names both lengths",
            1,
            _full_length,
            _too_long,
            lambda sizes, inputs: (sizes[0], inputs[0].shape[1]),
            side=True,
        ),
        ModuleCriterion("x is left unchanged", 0.5, _inputs, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception("in-silence", IN_SILENCE, _Wraps, hint="nearly there"),
        Misconception("in-silence", IN_SILENCE, _Clamps, hint="nearly there"),
        Misconception("in-silence", IN_SILENCE, _Cuts, hint="nearly there"),
        Misconception(
            "too-early",
            "You refuse a sequence of exactly max_len tokens, which still fits. Raise the error only if n > max_len.",
            _TooEarly,
            hint="nearly there",
        ),
        Misconception(
            "without-a-word",
            'Your assert has no message. Name both lengths: assert n <= max_len, f"… {n} … {max_len} …".',
            _SaysNothing,
            hint="nearly there",
        ),
        Misconception(
            "by-batch",
            "You slice by the number of sequences; the tokens are dimension 1 of x, (B, n, d_model).",
            _ByBatch,
            hint="which rows",
        ),
        Misconception(
            "from-one", "Your first token gets row 1 of the table; its position is 0.", _FromOne, hint="which rows"
        ),
        Misconception("without-x", "You return the rows alone. Add them to x.", _WithoutX, hint="which rows"),
        Misconception(
            "last-rows", "You take the last n rows of the table; expected the first.", _LastRows, hint="which rows"
        ),
        Misconception("dropout", "You apply dropout; here the module has none.", _Dropout, hint="which rows"),
        Misconception("detached", NO_GRADIENT, _Detached, hint="a parameter"),
        Misconception("detached", NO_GRADIENT, _Frozen, hint="a parameter"),
        Misconception(
            "in-place",
            "You add in place and change the x of your caller. Write x + …, not x += ….",
            _InPlace,
            hint="which rows",
        ),
        Misconception(
            "not-trained",
            NOT_TRAINED,
            _NotTrained,
            hint="a parameter",
        ),
        Misconception(
            "not-trained",
            NOT_TRAINED,
            _Buffer,
            hint="a parameter",
        ),
        Misconception(
            "embedded",
            "You leave the error to nn.Embedding, whose message names no length. Compare the lengths yourself.",
            _Embedded,
            hint="nearly there",
        ),
    ),
    accepted=(_LeadingOne, _LikeGPT, _EmbeddedWithError, _WithBatch, _ByList),
)

NAMES = tuple(f"{kind}, {places} places" for kind in ("sinusoidal", "learned") for places in ("trained", "new"))
# Means of seeds 0, 1 and 2. Over ten seeds one by one: new places 0.27 … 0.52 with sinusoids and 0.13 … 0.20 with a
# table, however it begins; trained places above 0.99 with both.
SIN_NEW, LEARNED_NEW = 0.49, 0.17


def _numbers(*values: float) -> dict[str, float]:
    return dict(zip(NAMES, values, strict=True))


longer_than_trained = ExperimentExam(
    exercise="longer_than_trained",
    covers=("A1",),
    numbers=NAMES,
    between=(0, 1),
    truth=_numbers(1.0, SIN_NEW, 1.0, LEARNED_NEW),
    criteria=(
        NumberCriterion("places that training saw", 1, NAMES[0::2], absolute=0.03),
        NumberCriterion(
            "places that training never saw",
            3,
            NAMES[1::2],
            absolute=0.15,
            hint="Is it the mean over seeds 0, 1 and 2?",
        ),
    ),
    misconceptions=(
        Misconception(
            "trained-longer-sequences-well",
            "You train on the longer sequences as well; train with length 16.",
            _numbers(1, 1, 1, 1),
        ),
        Misconception(
            "expect-sinusoids-carry-over-new",
            "You report that the sinusoids carry over to new positions. Measure what your probe does there.",
            _numbers(1, 1, 1, LEARNED_NEW),
        ),
        Misconception(
            "count-trained-places-long-sequences",
            "You count the trained positions of the long sequences too. Pass places=range(16, 32).",
            _numbers(1, 0.73, 1, 0.58),
        ),
        Misconception("two-kinds-swapped", "Your two kinds are swapped.", _numbers(1, LEARNED_NEW, 1, SIN_NEW)),
        Misconception(
            "report-percent-accuracy-lies-between",
            "You report percent; an accuracy is between 0 and 1.",
            _numbers(100, 49, 100, 17),
        ),
        Misconception(
            "error-not-accuracy-0",
            "You report an error as an accuracy of 0. Give the learned table 64 rows, so that it can be tested.",
            _numbers(1, SIN_NEW, 1, 0),
        ),
        Misconception(
            "probe-knows-no-positions",
            "Your probe has no positions at all. Pass positions=… when you train it.",
            _numbers(0.27, 0.21, 0.27, 0.21),
        ),
    ),
    accepted=(
        [1.0, 0.52, 0.999, 0.19],
        dict(zip(NAMES, (0.99, 0.35, 1, 0.13), strict=True)),
        torch.tensor([1.0, 0.6, 1.0, 0.15]),
        _numbers(1.0, 0.44, 0.98, 0.2),
    ),
    shortcuts=tuple([constant] * 4 for constant in (0.0, 0.125, 0.21, 0.33, 0.5, 1.0)),
)
