"""The sinusoidal encoding as a module."""

import math

import torch
from torch import nn

from autograder.exam_types import ModuleCriterion, ModuleExam, RefusalCriterion
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn.positions import PositionalEncoding, sinusoidal_encoding


def _inputs(draw: Draw) -> tuple[list[int], list[object]]:
    """More sequences than tokens, and room for both, so that a mix-up of the two gives numbers."""
    n, batch, half = sorted(draw.sizes(3))
    return [2 * half, batch + 3], [draw.normal(batch, n, 2 * half)]


def _default_length(draw: Draw) -> tuple[list[int], list[object]]:
    (d_model, _), inputs = _inputs(draw)
    return [d_model], inputs  # the table has 5000 rows, of which the last is asked as well


def _full(draw: Draw) -> tuple[list[int], list[object]]:
    max_len, half = draw.sizes(2)
    return [2 * half, max_len], [draw.normal(2, max_len, 2 * half)]


def _too_long(draw: Draw) -> tuple[list[int], list[object]]:
    """By one token."""
    max_len, half = draw.sizes(2)
    return [2 * half, max_len], [draw.normal(2, max_len + 1, 2 * half)]


class _Encoding(PositionalEncoding):
    """The reference, for wrong and right variants of its forward."""

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]


class _AddsInPlace(_Encoding):
    def forward(self, x):
        x += self.pe[:, : x.shape[1]]
        return x


class _ByBatch(_Encoding):
    def forward(self, x):
        return x + self.pe[0, : x.shape[0]].unsqueeze(1)


class _Scaled(_Encoding):
    def forward(self, x):
        return x * math.sqrt(x.shape[-1]) + self.pe[:, : x.shape[1]]


class _ScaledTwice(_Encoding):
    def forward(self, x):
        return (x + self.pe[:, : x.shape[1]]) * math.sqrt(x.shape[-1])


class _Alone(_Encoding):
    def forward(self, x):
        return self.pe[0, : x.shape[1]]


class _Dropout(_Encoding):
    def __init__(self, d_model, max_len=5000):
        super().__init__(d_model, max_len)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        if x.size(1) > self.pe.size(1):
            raise ValueError("the sequence is too long")
        return self.dropout(super().forward(x))


class _SequenceFirst(nn.Module):
    """As in PyTorch's tutorial, where x is (n, B, d_model)."""

    def __init__(self, d_model, max_len=5000):
        super().__init__()
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0).transpose(0, 1))

    def forward(self, x):
        return x + self.pe[: x.size(0)]


class _PlainAttribute(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        self.pe = sinusoidal_encoding(max_len, d_model).unsqueeze(0)

    def forward(self, x):
        if x.size(1) > self.pe.size(1):
            raise ValueError("the sequence is too long")
        return x + self.pe[:, : x.size(1)]


class _AnotherName(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        self.register_buffer("pos_encoding", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x):
        if x.size(1) > self.pos_encoding.size(1):
            raise ValueError("the sequence is too long")
        return x + self.pos_encoding[:, : x.size(1)]


class _TooEarly(_Encoding):
    """Refuses the longest sequence that fits."""

    def forward(self, x):
        if x.size(1) >= self.pe.size(1):
            raise ValueError("the sequence is too long")
        return super().forward(x)


class _OnePlace(_Encoding):
    def forward(self, x):
        return x + self.pe[:, x.shape[1] - 1 : x.shape[1]]


class _WithoutX(_Encoding):
    def forward(self, x):
        return self.pe[:, : x.shape[1]].expand_as(x)


class _FromOne(_Encoding):
    def forward(self, x):
        return x + self.pe[:, 1 : x.shape[1] + 1]


class _Concatenates(_Encoding):
    def forward(self, x):
        return torch.cat([x, self.pe[:, : x.shape[1]].expand_as(x)], -1)


class _Wraps(_Encoding):
    def forward(self, x):
        return x + self.pe[:, torch.arange(x.shape[1]) % self.pe.shape[1]]


class _Grows(_Encoding):
    def forward(self, x):
        if x.shape[1] > self.pe.shape[1]:
            self.pe = sinusoidal_encoding(x.shape[1], x.shape[2]).unsqueeze(0)
        return super().forward(x)


class _Cuts(_Encoding):
    def forward(self, x):
        return x[:, : self.pe.shape[1]] + self.pe[:, : x.shape[1]]


class _ShortDefault(_Encoding):
    def __init__(self, d_model, max_len=512):
        super().__init__(d_model, max_len)


class _LastRows(_Encoding):
    def forward(self, x):
        if x.shape[1] > self.pe.shape[1]:
            raise ValueError("the sequence is too long")
        return x + self.pe[:, -x.shape[1] :]


class _Trained(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        self.table = nn.Parameter(sinusoidal_encoding(max_len, d_model))
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x):
        return x + self.table[: x.shape[1]]


class _TrainedParameter(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        self.pe = nn.Parameter(sinusoidal_encoding(max_len, d_model).unsqueeze(0))

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]


class _WithoutBatch(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        self.register_buffer("pe", sinusoidal_encoding(max_len, d_model))

    def forward(self, x):
        return x + self.pe[: x.shape[1]]


class _Narrowed(_Encoding):
    def forward(self, x):
        return self.pe.narrow(1, 0, x.size(1)).expand(len(x), -1, -1) + x


class _NotSaved(nn.Module):
    def __init__(self, d_model, max_len=5000):
        super().__init__()
        pe = torch.zeros(1, max_len, d_model)
        angles = torch.arange(max_len)[:, None] * torch.exp(
            torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model)
        )
        pe[0, :, 0::2], pe[0, :, 1::2] = angles.sin(), angles.cos()
        self.register_buffer("pe", pe, persistent=False)

    def forward(self, x):
        if x.size(1) > self.pe.size(1):
            raise IndexError(f"{x.size(1)} tokens, but only {self.pe.size(1)} positions")
        return x + self.pe[:, : x.size(1), :].requires_grad_(False)


class _ByToken(_Encoding):
    def forward(self, x):
        assert x.shape[1] <= self.pe.shape[1], "the sequence is too long"
        return torch.stack([x[:, i] + self.pe[:, i] for i in range(x.shape[1])], dim=1)


class _ByAddition(_Encoding):
    def forward(self, x):
        n = x.shape[1]
        if n > self.pe.shape[1]:
            raise ValueError(f"length {n} is too long")
        return torch.add(x, self.pe.squeeze(0)[:n].to(x))


class _Annotated(nn.Module):
    """As most repositories write it, without their dropout."""

    pe: torch.Tensor

    def __init__(self, d_model: int, max_len: int = 5000):
        super().__init__()
        self.max_len = max_len
        pe = torch.zeros(max_len, d_model)
        position = torch.arange(0, max_len, dtype=torch.float).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
        pe[:, 0::2] = torch.sin(position * div_term)
        pe[:, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe.unsqueeze(0))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seq_len = x.shape[1]
        if seq_len > self.max_len:
            raise RuntimeError(f"max_len is {self.max_len}")
        return x + self.pe[:, :seq_len].detach()


class _ByGather(_Encoding):
    def forward(self, x):
        return x + self.pe[0].index_select(0, torch.arange(x.size(-2))).expand(x.size(0), -1, -1)


IN_SILENCE = "Past max_len your module goes on without a word. Raise an error instead."

positional_encoding = ModuleExam(
    exercise="PositionalEncoding",
    covers=("Bc3",),
    module=PositionalEncoding,
    outputs=("output",),
    criteria=(
        ModuleCriterion("x with the encoding of each position added", 1, _inputs),
        ModuleCriterion("the same in training mode", 0.5, _inputs, "effect of training mode", side=True),
        ModuleCriterion("a buffer pe of shape (1, max_len, d_model), not trained", 1, _inputs, "position table"),
        ModuleCriterion("max_len may be left out", 0.5, _default_length, "rows of the position table"),
        RefusalCriterion("an error past max_len", 0.5, _full, _too_long, side=True),
        ModuleCriterion("x is left unchanged", 0.5, _inputs, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "wraps",
            IN_SILENCE,
            _Wraps,
            hint="nearly there",
        ),
        Misconception("wraps", IN_SILENCE, _Grows, hint="nearly there"),
        Misconception("wraps", IN_SILENCE, _Cuts, hint="nearly there"),
        Misconception(
            "short-default",
            "Without max_len your module has fewer positions than 5000: it is the default in __init__.",
            _ShortDefault,
            hint="a buffer",
        ),
        Misconception(
            "last-rows",
            "You take the last n rows of the table; expected the first.",
            _LastRows,
            hint="how many rows",
        ),
        Misconception(
            "too-early",
            "You refuse a sequence of exactly max_len tokens, which still fits. Raise the error only if n > max_len.",
            _TooEarly,
            hint="nearly there",
        ),
        Misconception(
            "adds-in-place",
            "You add in place and change the x of your caller. Write x + …, not x += ….",
            _AddsInPlace,
            hint="how many rows",
        ),
        Misconception(
            "by-batch",
            "You slice by the number of sequences; the tokens are dimension 1 of x, (B, n, d_model).",
            _ByBatch,
            hint="how many rows",
        ),
        Misconception(
            "sequence-first",
            "Your table is (max_len, 1, d_model), the layout of PyTorch's tutorial, where tokens are dimension 0. "
            "Here x is (B, n, d_model), and pe is (1, max_len, d_model).",
            _SequenceFirst,
            hint="how many rows",
        ),
        Misconception(
            "scaled",
            "You multiply x by √d_model. In the paper that belongs to the embedding; here x stays as it is.",
            _Scaled,
        ),
        Misconception(
            "scaled-twice",
            "You multiply the sum by √d_model. In the paper that belongs to the embedding; here nothing is scaled.",
            _ScaledTwice,
        ),
        Misconception(
            "dropout",
            "You apply dropout, as the paper does after this sum; here the module has none.",
            _Dropout,
        ),
        Misconception(
            "one-place",
            "Every token gets the encoding of the last position. Add the first n rows, one to each token.",
            _OnePlace,
            hint="how many rows",
        ),
        Misconception("without-x", "You return the encoding alone. Add it to x.", _WithoutX, hint="how many rows"),
        Misconception("without-x", "You return the encoding alone. Add it to x.", _Alone, hint="how many rows"),
        Misconception(
            "from-one",
            "Your first token gets row 1 of the table; its position is 0.",
            _FromOne,
            hint="how many rows",
        ),
        Misconception(
            "concatenates",
            "You concatenate x and the encoding, which doubles the width. Add them.",
            _Concatenates,
            hint="how many rows",
        ),
        Misconception(
            "trained-parameter",
            "You make the table a parameter, which training would change. Register it as a buffer.",
            _TrainedParameter,
            hint="a buffer",
        ),
        Misconception(
            "plain-attribute",
            "You keep the table as a plain attribute, which stays behind when the module moves to another device. "
            "Register it as a buffer.",
            _PlainAttribute,
            hint="a buffer",
        ),
        Misconception("another-name", "Your buffer has another name; expected pe.", _AnotherName, hint="a buffer"),
        Misconception(
            "trained",
            "You add a table that is trained, and keep pe beside it. Add pe, and train nothing.",
            _Trained,
            hint="a buffer",
        ),
        Misconception(
            "without-batch",
            "Your pe has no batch dimension; expected the shape (1, max_len, d_model).",
            _WithoutBatch,
            hint="a buffer",
        ),
    ),
    accepted=(_Narrowed, _NotSaved, _ByToken, _ByAddition, _Annotated, _ByGather),
)
