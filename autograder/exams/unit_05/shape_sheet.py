"""The shapes of a decoder block: masked self-attention, cross-attention and the feed-forward network."""

from collections.abc import Mapping

import torch
from torch import Tensor

from autograder.exam_types import ShapesCriterion, ShapesExam
from autograder.exam_types.exam import Misconception
from course_lib.cards.shape_exercises import DECODER_BLOCK
from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.nn.masks import create_look_ahead_mask


def _attention(number: str, x: Tensor, source: Tensor, size: Mapping[str, int], mask: Tensor | None) -> dict:
    d, d_k, d_v = size["d"], size["d_k"], size["d_v"]
    w = {"W_q": torch.zeros(d, d_k), "W_k": torch.zeros(d, d_k), "W_v": torch.zeros(d, d_v)}
    q, k, v = x @ w["W_q"], source @ w["W_k"], source @ w["W_v"]
    z, a = scaled_dot_product_attention(q, k, v, mask)
    w_o = torch.zeros(d_v, d)
    tensors = w | {"Q": q, "K": k, "V": v, "A": a, "Z": z, "W_o": w_o, "H": x + z @ w_o}
    return {name + number: tensor for name, tensor in tensors.items()}


def _decoder_tensors(size: Mapping[str, int]) -> dict[str, Tensor]:
    b, n_tgt, n_src, d, d_ff = (size[name] for name in ("B", "n_tgt", "n_src", "d", "d_ff"))
    x, memory = torch.zeros(b, n_tgt, d), torch.zeros(b, n_src, d)
    first = _attention("1", x, x, size, create_look_ahead_mask(n_tgt)[0, 0])
    second = _attention("2", first["H1"], memory, size, None)
    w_1, w_2 = torch.zeros(d, d_ff), torch.zeros(d_ff, d)
    f = (second["H2"] @ w_1).relu()
    return first | second | {"W_1": w_1, "F": f, "W_2": w_2, "Y": second["H2"] + f @ w_2}


SELF = {
    "W_q1": "d d_k",
    "W_k1": "d d_k",
    "W_v1": "d d_v",
    "Q1": "B n_tgt d_k",
    "K1": "B n_tgt d_k",
    "V1": "B n_tgt d_v",
    "A1": "B n_tgt n_tgt",
    "Z1": "B n_tgt d_v",
    "W_o1": "d_v d",
    "H1": "B n_tgt d",
}
CROSS = {
    "W_q2": "d d_k",
    "W_k2": "d d_k",
    "W_v2": "d d_v",
    "Q2": "B n_tgt d_k",
    "K2": "B n_src d_k",
    "V2": "B n_src d_v",
    "A2": "B n_tgt n_src",
    "Z2": "B n_tgt d_v",
    "W_o2": "d_v d",
    "H2": "B n_tgt d",
}
NETWORK = {"W_1": "d d_ff", "F": "B n_tgt d_ff", "W_2": "d_ff d", "Y": "B n_tgt d"}
SHEET = SELF | CROSS | NETWORK

decoder_block_shapes = ShapesExam(
    exercise="decoder_block_shapes",
    covers=("E2a", "E2b", "E2c"),
    dimensions=DECODER_BLOCK.dimensions,
    given=DECODER_BLOCK.given,
    sheet=SHEET,
    relations=DECODER_BLOCK.relations,
    tensors=_decoder_tensors,
    criteria=(
        ShapesCriterion("masked self-attention", 1.5, tuple(SELF)),
        ShapesCriterion("cross-attention", 2, tuple(CROSS)),
        ShapesCriterion("the feed-forward network", 1.5, tuple(NETWORK)),
    ),
    misconceptions=(
        Misconception(
            "a1-compares-target-source-self",
            "Your A1 compares target with source; in self-attention both sides are the target: (B, n_tgt, n_tgt).",
            SHEET | {"A1": "B n_tgt n_src"},
        ),
        Misconception(
            "a2-compares-target-itself-keys",
            "Your A2 compares the target with itself; its keys come from the memory: (B, n_tgt, n_src).",
            SHEET | {"A2": "B n_tgt n_tgt"},
        ),
        Misconception(
            "a2-turned",
            "Your A2 is transposed: rows are queries, from the target, and columns are keys, from the memory.",
            SHEET | {"A2": "B n_src n_tgt"},
        ),
        Misconception(
            "k2-v2-come-target-cross",
            "Your K2 and V2 come from the target; in cross-attention the memory gives keys and values: n_src tokens.",
            SHEET | {"K2": "B n_tgt d_k", "V2": "B n_tgt d_v"},
        ),
        Misconception(
            "q2-comes-memory-target-asks",
            "Your Q2 comes from the memory; queries come from the target: n_tgt tokens.",
            SHEET | {"Q2": "B n_src d_k"},
        ),
        Misconception(
            "h2-row-source-token-decoder",
            "Your H2 has a row for each source token; a decoder block keeps the target's tokens: (B, n_tgt, d).",
            SHEET | {"H2": "B n_src d"},
        ),
        Misconception(
            "z1-z2-wide-queries-values",
            "Your Z1 and Z2 are as wide as the queries; values are what is averaged, so their width is d_v.",
            SHEET | {"Z1": "B n_tgt d_k", "Z2": "B n_tgt d_k"},
        ),
        Misconception(
            "w-o1-d-d-takes",
            "Your W_o1 is (d, d); it takes Z1, which is d_v wide, back to d: (d_v, d).",
            SHEET | {"W_o1": "d d"},
        ),
        Misconception(
            "w-1-w-2-turned",
            "Your W_1 and W_2 are transposed: with tokens as rows, W_1 goes from d to d_ff and W_2 back.",
            SHEET | {"W_1": "d_ff d", "W_2": "d d_ff"},
        ),
        Misconception(
            "y-keeps-width-hidden-layer",
            "Your Y keeps the width of the hidden layer; it is added to H2, so it must be (B, n_tgt, d).",
            SHEET | {"Y": "B n_tgt d_ff"},
        ),
    ),
    accepted=(
        {name: tuple(entry.split()) for name, entry in SHEET.items()},
        {name: f"({', '.join(entry.split())})" for name, entry in SHEET.items()},
        {name: " × ".join(entry.split()) for name, entry in SHEET.items()},
        {name: entry.split() for name, entry in reversed(SHEET.items())},
    ),
    shortcuts=(
        dict.fromkeys(SHEET, "B n_tgt d"),
        dict.fromkeys(SHEET, "B n_tgt d_k"),
        dict.fromkeys(SHEET, "d d_k"),
        {name: "d d_k" if name.startswith("W") else "B n_tgt d" for name in SHEET},
    ),
)
