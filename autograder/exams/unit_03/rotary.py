"""Rotary positions."""

import math
from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn.positions import rotary


def _arguments(draw: Draw, *leading: int) -> list[Tensor]:
    n, half = draw.sizes(2)
    return [draw.normal(*leading, n, 2 * half), (6 * draw.normal(n)).round().long() + 20]


def _double(draw: Draw) -> list[Tensor]:
    """Far positions, whose angles single precision cannot hold."""
    x, positions = _arguments(draw)
    return [x.double(), 300 * positions + 7]


def _flawed_rotation(x, positions, *, turn=1.0, pairing="neighbours", frequency="pairs", places="given", mixed=True):
    d = x.shape[-1]
    i = torch.arange(d // 2, dtype=torch.float64)
    exponents = {"pairs": 2 * i / d, "one": 0 * i, "twice": 4 * i / d, "minus lost": -2 * i / d}
    at = {"given": positions, "counted": torch.arange(len(positions)), "next": positions + 1}[places]
    angles = (at[:, None] * 10000.0 ** -exponents[frequency]).to(x.dtype)
    cos, sin = angles.cos(), turn * angles.sin() * mixed
    even, odd = x.chunk(2, -1) if pairing == "halves" else (x[..., 0::2], x[..., 1::2])
    rotated = (even * cos - odd * sin, even * sin + odd * cos)
    return torch.stack(rotated, -1).flatten(-2) if pairing == "neighbours" else torch.cat(rotated, -1)


def _alone(**options):
    """A slip that is tried by itself, not together with others."""
    return lambda x, positions: _flawed_rotation(x, positions, **options)


def _mirrors(x, positions):
    angles = (positions[:, None] * 10000.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])).to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    cos, sin = angles.cos(), angles.sin()
    return torch.stack([even * cos + odd * sin, even * sin + odd * cos], -1).flatten(-2)


def _mixed_layouts(x, positions):
    """Neighbors are paired, but the angles are laid out for halves."""
    angles = positions[:, None] * 10000.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    angles = torch.cat([angles, angles], -1).to(x.dtype)
    swapped = torch.stack([-x[..., 1::2], x[..., 0::2]], -1).flatten(-2)
    return x * angles.cos() + swapped * angles.sin()


def _overwrites(x, positions):
    angles = positions[:, None].to(x.dtype) * 10000.0 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    out = x.clone()
    out[..., 0::2] = out[..., 0::2] * angles.cos() - out[..., 1::2] * angles.sin()
    out[..., 1::2] = out[..., 0::2] * angles.sin() + out[..., 1::2] * angles.cos()
    return out


def _adds(x, positions):
    angles = positions[:, None] * 10000.0 ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
    return x + torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)


def _by_complex(x, positions):
    d = x.shape[-1]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.exp(1j * positions[:, None] * w)).flatten(-2).to(x.dtype)


def _by_swapped_copy(x, positions):
    d = x.shape[-1]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    angles = (positions[:, None] * w).repeat_interleave(2, -1)
    swapped = torch.stack([-x[..., 1::2], x[..., 0::2]], -1).reshape(x.shape)
    return x * angles.cos() + swapped * angles.sin()


def _by_matrices(x, positions):
    d = x.shape[-1]
    rows = []
    for place, p in enumerate(positions.tolist()):
        M = torch.zeros(d, d, dtype=x.dtype)
        for j in range(0, d, 2):
            a = p * 10000 ** (-j / d)
            M[j, j], M[j, j + 1], M[j + 1, j], M[j + 1, j + 1] = math.cos(a), -math.sin(a), math.sin(a), math.cos(a)
        rows.append(x[..., place, :] @ M.T)
    return torch.stack(rows, -2)


def _by_slices(x, positions):
    out = torch.empty_like(x)
    w = torch.exp(torch.arange(0, x.shape[-1], 2, dtype=x.dtype) * (-math.log(10000.0) / x.shape[-1]))
    a = positions.to(x.dtype).unsqueeze(-1) * w
    out[..., 0::2] = x[..., 0::2] * a.cos() - x[..., 1::2] * a.sin()
    out[..., 1::2] = x[..., 1::2] * a.cos() + x[..., 0::2] * a.sin()
    return out


def _like_llama(x, positions):
    """Complex frequencies of each position, for pairs of neighbors."""
    d = x.shape[-1]
    freqs = 1.0 / (10000.0 ** (torch.arange(0, d, 2)[: d // 2].to(x.dtype) / d))
    freqs = torch.outer(positions.to(x.dtype), freqs)
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
    return torch.view_as_real(torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2)) * freqs_cis).flatten(-2).type_as(x)


rotate = CodeExam(
    exercise="rotate",
    covers=("D1.3b",),
    function=rotary.rotate,
    outputs=("rotated",),
    criteria=(
        CodeCriterion("every pair rotated", 1.5, _arguments),
        CodeCriterion("any leading dimensions", 0.5, lambda draw: _arguments(draw, 2, 3)),
        # a card's numbers are rounded
        CodeCriterion("float64 in, float64 out", 0.5, _double, side=True, visible=False),
        CodeCriterion("the arguments are left unchanged", 0.5, _arguments, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "turn-minus-1-0",
            "You rotate the other way: (1, 0) must become (cos, sin).",
            partial(_flawed_rotation, turn=-1.0),
            hint="pairs",
        ),
        Misconception(
            "pairing-halves",
            "You pair the first half with the second, as GPT-NeoX does. Here neighbors form a pair, 0 with 1, "
            "2 with 3, as in the paper.",
            partial(_flawed_rotation, pairing="halves"),
            hint="pairs",
        ),
        Misconception(
            "joined",
            "Your rotated halves are joined with torch.cat, so pairs are torn apart. Put each pair side by side again: "
            "torch.stack([…, …], -1).flatten(-2).",
            partial(_flawed_rotation, pairing="joined"),
            hint="pairs",
        ),
        Misconception(
            "mixed-layouts",
            "You pair neighbors, but your angles are laid out for halves, as torch.cat([angles, angles]) does. "
            "Repeat each angle for its pair: angles.repeat_interleave(2, -1).",
            _mixed_layouts,
            hint="pairs",
        ),
        Misconception(
            "minus-lost",
            "Your frequencies grow from pair to pair: the minus in 10000^(−2i/d) is missing.",
            _alone(frequency="minus lost"),
            hint="angles first",
        ),
        Misconception(
            "frequency-one",
            "All your pairs rotate at the same speed; pair i has the frequency 10000^(−2i/d).",
            _alone(frequency="one"),
            hint="angles first",
        ),
        Misconception(
            "frequency-twice",
            "Your exponent has the factor 2 twice; pair i has 2i/d.",
            partial(_flawed_rotation, frequency="twice"),
            hint="angles first",
        ),
        Misconception(
            "places-counted",
            "You number the tokens yourself. Use the positions that are passed in.",
            _alone(places="counted"),
            hint="angles first",
        ),
        Misconception("places-next", "Your positions are one too large.", _alone(places="next"), hint="angles first"),
        Misconception(
            "no-mixed",
            "You only scale by cosines. In a rotation both numbers of a pair go into both.",
            _alone(mixed=False),
            hint="pairs",
        ),
        Misconception(
            "mirrors",
            "Both your sines have a plus, so this is no rotation. The first formula has a minus.",
            _mirrors,
            hint="pairs",
        ),
        Misconception(
            "overwrites",
            "Your second line uses the first numbers of the pairs after they were overwritten. Compute both from x.",
            _overwrites,
            hint="nearly there",
        ),
        Misconception(
            "adds", "You add an encoding. Here x is rotated, and nothing is added.", _adds, hint="angles first"
        ),
    ),
    accepted=(_by_complex, _by_swapped_copy, _by_matrices, _by_slices, _like_llama),
)
