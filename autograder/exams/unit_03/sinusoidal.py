"""The sinusoidal encoding."""

import math
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn.positions import sinusoidal


def _even(draw: Draw) -> list[int]:
    max_len, half = draw.sizes(2)
    return [3 * max_len, 2 * half]


def _odd(draw: Draw) -> list[int]:
    max_len, half = draw.sizes(2)
    return [2 * max_len, 2 * half + 1]


def _long(draw: Draw) -> list[int]:
    max_len, half = draw.sizes(2)
    return [40 * max_len, 4 * half]


def _flawed_encoding(
    max_len, d_model, *, order="interleaved", frequency="pairs", first=0, waves="sin cos", odd="sine", flipped=False
):
    pairs = (d_model + 1) // 2
    i = torch.arange(pairs, dtype=torch.float64)
    exponents = {
        "pairs": 2 * i / d_model,
        "one": 0 * i,
        "twice": 4 * i / d_model,
        "half": i / d_model,
        "reaches the base": i / max(pairs - 1, 1),
        "log10": 2 * i / d_model / math.log(10),
        "base 1000": 0.75 * 2 * i / d_model,
    }
    positions = torch.arange(first, max_len + first, dtype=torch.float64)
    if frequency in exponents:
        w = 10000.0 ** -exponents[frequency]
    else:
        w = {"multiplied": 10000.0 ** (2 * i / d_model), "swapped": (2 * i / d_model) ** 10000}[frequency]
    angles = torch.outer(positions, w)
    sines, cosines = {
        "sin cos": (angles.sin(), angles.cos()),
        "cos sin": (angles.cos(), angles.sin()),
        "sin sin": (angles.sin(), angles.sin()),
    }[waves]
    if order == "interleaved":
        table = torch.stack([sines, cosines], -1).flatten(1)[:, :d_model]
    else:
        table = torch.cat([sines, cosines], 1)[:, :d_model]
    if d_model % 2 and odd != "sine":
        table = table[:, :-1] if odd == "dropped" else torch.cat([table[:, :-1], cosines[:, -1:]], 1)
    return (table.T if flipped else table).float()


def _alone(**options):
    """A slip that is tried by itself, not together with others."""
    return lambda max_len, d_model: _flawed_encoding(max_len, d_model, **options)


def _frequency_of_its_own(max_len, d_model):
    columns = torch.arange(d_model)
    angles = torch.arange(max_len)[:, None] / 10000.0 ** (columns / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())


def _column_in_the_exponent(max_len, d_model):
    """2 j / d_model with j the column, and not the number of the pair."""
    table = torch.zeros(max_len, d_model)
    for pos in range(max_len):
        for j in range(d_model):
            angle = pos / 10000 ** (2 * j / d_model)
            table[pos, j] = math.cos(angle) if j % 2 else math.sin(angle)
    return table


def _like_tensor2tensor(max_len, d_model):
    half = d_model // 2
    w = torch.exp(torch.arange(half) * -(math.log(10000.0) / max(half - 1, 1)))
    angles = torch.arange(max_len)[:, None] * w
    return F.pad(torch.cat([angles.sin(), angles.cos()], 1), (0, d_model % 2))


def _angles_times(max_len, d_model, factor):
    w = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    angles = factor * torch.arange(max_len)[:, None] * w
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)[:, :d_model]


def _integer_frequencies(max_len, d_model):
    w = (torch.arange(0, d_model, 2) == 0).float()
    angles = torch.arange(max_len)[:, None] * w
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)[:, :d_model]


def _minus_lost(max_len, d_model, by="power"):
    """In float32, as most write it: the huge angles round differently."""
    even = torch.arange(0, d_model, 2)
    w = torch.exp(even * (math.log(10000.0) / d_model)) if by == "exp" else 10000.0 ** (even / d_model)
    angles = torch.arange(max_len).unsqueeze(1) * w
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)[:, :d_model]


def _by_loop(max_len, d_model):
    table = torch.zeros(max_len, d_model)
    for pos in range(max_len):
        for i in range(0, d_model, 2):
            angle = pos / 10000 ** (i / d_model)
            table[pos, i] = math.sin(angle)
            if i + 1 < d_model:
                table[pos, i + 1] = math.cos(angle)
    return table


def _by_exp_and_slices(max_len, d_model):
    position = torch.arange(max_len).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe = torch.zeros(max_len, d_model)
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: d_model // 2])
    return pe


def _by_phase(max_len, d_model):
    columns = torch.arange(d_model)
    w = 10000.0 ** (-(columns // 2 * 2) / d_model)
    return torch.sin(torch.arange(max_len)[:, None] * w + (columns % 2) * math.pi / 2)


def _by_lists(max_len, d_model):
    def entry(pos, j):
        angle = pos * 10000 ** (-2 * (j // 2) / d_model)
        return math.cos(angle) if j % 2 else math.sin(angle)

    return torch.tensor([[entry(pos, j) for j in range(d_model)] for pos in range(max_len)])


def _by_numpy(max_len, d_model):
    pos, j = np.arange(max_len)[:, np.newaxis], np.arange(d_model)[np.newaxis, :]
    angles = pos / np.power(10000, (2 * (j // 2)) / np.float32(d_model))
    angles[:, 0::2], angles[:, 1::2] = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
    return torch.from_numpy(angles).float()


def _by_complex(max_len, d_model):
    w = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    turning = torch.exp(1j * torch.arange(max_len, dtype=torch.float64)[:, None] * w)
    return torch.stack([turning.imag, turning.real], -1).reshape(max_len, -1)[:, :d_model].float()


MULTIPLIED = "Your frequencies grow from pair to pair. Divide pos by 10000^(2i/d_model), or check the minus sign."

sinusoidal_encoding = CodeExam(
    exercise="sinusoidal_encoding",
    covers=("Bc3",),
    function=sinusoidal.sinusoidal_encoding,
    outputs=("encoding",),
    properties={"encoding": "sines and cosines"},
    criteria=(
        CodeCriterion("even widths", 4, _even),
        CodeCriterion("an odd width: the last column is a sine without its cosine", 1, _odd),
        CodeCriterion("a long table", 1, _long),
    ),
    misconceptions=(
        Misconception(
            "order-halves",
            "Your sines fill the first half and your cosines the second, as in tensor2tensor's code. Here they take "
            "turns, column by column, as in the paper.",
            partial(_flawed_encoding, order="halves"),
            hint="the columns",
        ),
        Misconception(
            "frequency-one",
            "All your pairs of columns have the same frequency. Let i run over the pairs, 0, 1, 2, …",
            _alone(frequency="one"),
            hint="three steps",
        ),
        Misconception(
            "frequency-twice",
            "Your exponent has the factor 2 twice. If i already runs over 0, 2, 4, …, the exponent is i/d_model.",
            partial(_flawed_encoding, frequency="twice"),
            hint="the columns",
        ),
        Misconception(
            "frequency-half",
            "The factor 2 is missing in your exponent: pair i has 2i/d_model.",
            _alone(frequency="half"),
            hint="the columns",
        ),
        Misconception(
            "frequency-swapped",
            "You have swapped base and exponent: 10000 is the base, 2i/d_model the exponent.",
            _alone(frequency="swapped"),
            hint="three steps",
        ),
        Misconception(
            "frequency-multiplied",
            MULTIPLIED,
            _alone(frequency="multiplied"),
            hint="three steps",
        ),
        Misconception("frequency-multiplied", MULTIPLIED, _minus_lost, hint="three steps"),
        Misconception("frequency-multiplied", MULTIPLIED, partial(_minus_lost, by="exp"), hint="three steps"),
        Misconception(
            "frequency-base-1000",
            "Your base is 1000; expected 10000.",
            _alone(frequency="base 1000"),
            hint="three steps",
        ),
        Misconception(
            "column-in-the-exponent",
            "Your exponent is 2j/d_model with j the column. Use the number of the pair: columns 2i and 2i + 1 share "
            "2i/d_model.",
            _column_in_the_exponent,
            hint="the columns",
        ),
        Misconception(
            "frequency-reaches-the-base",
            "Your last frequency is exactly 1/10000. Divide by d_model, not by the number of pairs minus one.",
            _alone(frequency="reaches the base"),
            hint="three steps",
        ),
        Misconception(
            "frequency-log10",
            "Your exponential has log10(10000) = 4 in it; exp belongs with the natural logarithm, math.log(10000).",
            _alone(frequency="log10"),
            hint="three steps",
        ),
        Misconception(
            "halves-to-the-base",
            "Your table is tensor2tensor's: the sines fill the first half, and the last frequency is exactly 1/10000. "
            "Here sine and cosine take turns, and pair i has 10000^(−2i/d_model).",
            _like_tensor2tensor,
            hint="the columns",
        ),
        Misconception(
            "full-turns",
            "Your angles have a factor 2π; expected pos · w_i itself.",
            partial(_angles_times, factor=2 * math.pi),
            hint="three steps",
        ),
        Misconception(
            "degrees",
            "You convert your angles from degrees; pos · w_i already is in radians.",
            partial(_angles_times, factor=math.pi / 180),
            hint="three steps",
        ),
        Misconception(
            "integer-frequencies",
            "Your frequencies are 1, then 0: an integer power or a // rounds them down. Compute them as floats.",
            _integer_frequencies,
            hint="three steps",
        ),
        Misconception(
            "first-1",
            "Your positions begin at 1; the first row is position 0.",
            partial(_flawed_encoding, first=1),
            hint="three steps",
        ),
        Misconception(
            "waves-cos-sin",
            "You have swapped sine and cosine: even columns are sines.",
            partial(_flawed_encoding, waves="cos sin"),
            hint="the columns",
        ),
        Misconception(
            "waves-sin-sin",
            "Your odd columns are sines too; expected the cosines of the same angles.",
            _alone(waves="sin sin"),
            hint="the columns",
        ),
        Misconception(
            "frequency-of-its-own",
            "Each of your columns has a frequency of its own. A sine and its cosine share one, that of their pair.",
            _frequency_of_its_own,
            hint="the columns",
        ),
        Misconception(
            "flipped",
            "Your table is transposed; expected one row for each position, one column for each feature.",
            _alone(flipped=True),
            hint="three steps",
        ),
        Misconception(
            "odd-dropped",
            "With an odd width your table is one column short. The last column is a sine without its cosine.",
            _alone(odd="dropped"),
            hint="nearly there",
        ),
        Misconception(
            "odd-cosine",
            "With an odd width your last column is a cosine; expected the sine of the last pair.",
            _alone(odd="cosine"),
            hint="nearly there",
        ),
        Misconception(
            "table-float64-would-not-fit",
            "Your table is float64; expected float32, as a model has. End with .float().",
            lambda max_len, d_model: sinusoidal.sinusoidal_encoding(max_len, d_model).double(),
            hint="nearly there",
        ),
    ),
    accepted=(_by_loop, _by_exp_and_slices, _by_phase, _by_lists, _by_complex, _by_numpy),
)
