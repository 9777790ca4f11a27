"""The position-wise feed-forward network."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from autograder.exam_types import ModuleCriterion, ModuleExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_04.heads import small_sizes
from course_lib.nn.feedforward import FeedForward


def _inputs(draw: Draw, dropout: float = 0.0) -> tuple[Arguments, list[Tensor]]:
    b, n, d_model, d_ff = small_sizes(draw)
    return [d_model, 2 * d_ff + 1, dropout], [draw.normal(b, n, d_model)]


class _Network(nn.Module):
    """A right one; each mistake overrides a step. With a dropout of 1, what is dropped is exactly 0."""

    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__()
        self.first, self.second = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.second(self.dropout(self.first(x).relu()))


class _NoReLU(_Network):
    def forward(self, x):
        return self.second(self.dropout(self.first(x)))


class _Gelu(_Network):
    def forward(self, x):
        return self.second(self.dropout(F.gelu(self.first(x))))


class _GeluByTanh(_Network):
    def forward(self, x):
        return self.second(self.dropout(F.gelu(self.first(x), approximate="tanh")))


class _Silu(_Network):
    def forward(self, x):
        return self.second(self.dropout(F.silu(self.first(x))))


class _Tanh(_Network):
    def forward(self, x):
        return self.second(self.dropout(self.first(x).tanh()))


class _LeakyReLU(_Network):
    def forward(self, x):
        return self.second(self.dropout(F.leaky_relu(self.first(x))))


class _ReLUAtTheEnd(_Network):
    def forward(self, x):
        return self.second(self.dropout(self.first(x))).relu()


class _DropoutAtTheEnd(_Network):
    def forward(self, x):
        return self.dropout(self.second(self.first(x).relu()))


class _DropoutFirst(_Network):
    def forward(self, x):
        return self.second(self.first(self.dropout(x)).relu())


class _NoDropout(_Network):
    def forward(self, x):
        return self.second(self.first(x).relu())


class _AlwaysDropout(_Network):
    def forward(self, x):
        return self.second(F.dropout(self.first(x).relu(), self.dropout.p))


class _FixedRate(_Network):
    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__(d_model, d_ff, 0.1)


class _DropoutTwice(_Network):
    def forward(self, x):
        return self.dropout(super().forward(x))


class _MixesTokens(_Network):
    def forward(self, x):
        hidden = self.first(x).relu()
        return self.second(self.dropout(hidden.mean(1, keepdim=True).expand_as(hidden)))


class _AddsInput(_Network):
    def forward(self, x):
        return x + super().forward(x)


class _NoBias(_Network):
    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__(d_model, d_ff, dropout)
        self.first, self.second = nn.Linear(d_model, d_ff, bias=False), nn.Linear(d_ff, d_model, bias=False)


class _Sequential(nn.Module):
    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__()
        layers = nn.Linear(d_model, d_ff), nn.ReLU(), nn.Dropout(dropout), nn.Linear(d_ff, d_model)
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


class _Subclassed(nn.Sequential):
    def __init__(self, d_model, d_ff, dropout=0.0):
        super().__init__(nn.Linear(d_model, d_ff), nn.Dropout(dropout), nn.ReLU(), nn.Linear(d_ff, d_model))


class _TokenByToken(_Network):
    def forward(self, x):
        return torch.stack([super(_TokenByToken, self).forward(token) for token in x.unbind(1)], 1)


class _ByHand(_Network):
    def forward(self, x):
        hidden = torch.clamp(x @ self.first.weight.T + self.first.bias, min=0)
        hidden = F.dropout(hidden, self.dropout.p, training=self.training)
        return torch.einsum("...f,df->...d", hidden, self.second.weight) + self.second.bias


GELU = "You use GELU, as BERT and GPT do; expected ReLU, as in the 2017 paper."

feed_forward = ModuleExam(
    exercise="FeedForward",
    covers=("Bt10", "D1.4d"),
    module=FeedForward,
    outputs=("output",),
    criteria=(
        ModuleCriterion("the same small network for every token", 1, _inputs),
        ModuleCriterion(
            "dropout of the hidden layer while training",
            0.5,
            lambda draw: _inputs(draw, 1.0),
            "values in training",
        ),
        ModuleCriterion("no dropout afterwards", 0.5, lambda draw: _inputs(draw, 1.0)),
    ),
    misconceptions=(
        Misconception(
            "no-re-lu",
            "Your network has no ReLU, and without it two linear layers are one linear layer.",
            _NoReLU,
            hint="the order",
        ),
        Misconception("gelu", GELU, _Gelu, hint="the order"),
        Misconception("gelu", GELU, _GeluByTanh, hint="the order"),
        Misconception("silu", "You use SiLU (swish); expected ReLU, as in the 2017 paper.", _Silu, hint="the order"),
        Misconception("tanh", "You use tanh; expected ReLU, as in the 2017 paper.", _Tanh, hint="the order"),
        Misconception(
            "leaky", "You use a leaky ReLU; expected ReLU, as in the 2017 paper.", _LeakyReLU, hint="the order"
        ),
        Misconception(
            "dropout-at-the-end",
            "Your dropout acts on the output: here it acts on the hidden layer alone, after the ReLU. (The block drops "
            "the output.)",
            _DropoutAtTheEnd,
            hint="dropout",
        ),
        Misconception(
            "re-luat-the-end",
            "Your ReLU comes last: it belongs between the two layers.",
            _ReLUAtTheEnd,
            hint="the order",
        ),
        Misconception(
            "dropout-first",
            "Your dropout acts on the input: it belongs on the hidden layer, after the ReLU.",
            _DropoutFirst,
            hint="dropout",
        ),
        Misconception("no-dropout", "Your network never uses its dropout.", _NoDropout, hint="dropout"),
        Misconception(
            "always-dropout",
            "Your dropout stays on in eval mode: F.dropout needs training=self.training; nn.Dropout knows by itself.",
            _AlwaysDropout,
            hint="dropout",
        ),
        Misconception(
            "mixes-tokens",
            "Your tokens are mixed: each goes through the network independently.",
            _MixesTokens,
            hint="each token by itself",
        ),
        Misconception(
            "adds-input",
            "You add the input: the residual connection belongs to the block, around the network.",
            _AddsInput,
            hint="each token by itself",
        ),
        Misconception("no-bias", "Your layers have no bias: both need one.", _NoBias, hint="each token by itself"),
    ),
    accepted=(_Sequential, _Subclassed, _TokenByToken, _ByHand),
)
