"""The shapes of cross-attention, and what queries, keys and values are for."""

from collections.abc import Mapping

import torch
from torch import Tensor

from autograder.exam_types import ChooseExam, Option, ShapesCriterion, ShapesExam
from autograder.exam_types.exam import Criterion, Misconception
from course_lib.cards.shape_exercises import CROSS_ATTENTION
from course_lib.nn import attention


def _cross_attention_tensors(size: Mapping[str, int]) -> dict[str, Tensor]:
    b, n_tgt, n_src, d, d_q, d_v = (size[name] for name in ("B", "n_tgt", "n_src", "d", "d_q", "d_v"))
    x_tgt, x_src = torch.zeros(b, n_tgt, d), torch.zeros(b, n_src, d)
    w = {"W_q": torch.zeros(d, d_q), "W_k": torch.zeros(d, d_q), "W_v": torch.zeros(d, d_v)}
    q, k, v = x_tgt @ w["W_q"], x_src @ w["W_k"], x_src @ w["W_v"]
    z, a = attention.scaled_dot_product_attention(q, k, v)
    return w | {"Q": q, "K": k, "V": v, "scores": q @ k.transpose(1, 2), "A": a, "Z": z}


SHEET = {
    "W_q": "d d_q",
    "W_k": "d d_q",
    "W_v": "d d_v",
    "Q": "B n_tgt d_q",
    "K": "B n_src d_q",
    "V": "B n_src d_v",
    "scores": "B n_tgt n_src",
    "A": "B n_tgt n_src",
    "Z": "B n_tgt d_v",
}

EXCHANGED = {
    "Q": "B n_src d_q",
    "K": "B n_tgt d_q",
    "V": "B n_tgt d_v",
    "scores": "B n_src n_tgt",
    "A": "B n_src n_tgt",
    "Z": "B n_src d_v",
}

cross_attention_shapes = ShapesExam(
    exercise="cross_attention_shapes",
    covers=("E1a", "E1b", "E1c"),
    dimensions=CROSS_ATTENTION.dimensions,
    given=CROSS_ATTENTION.given,
    sheet=SHEET,
    relations=CROSS_ATTENTION.relations,
    tensors=_cross_attention_tensors,
    criteria=(
        ShapesCriterion("the weights W_q, W_k, W_v", 2, ("W_q", "W_k", "W_v")),
        ShapesCriterion("the projections Q, K, V", 2, ("Q", "K", "V")),
        ShapesCriterion("scores, A and the output Z", 2, ("scores", "A", "Z")),
    ),
    misconceptions=(
        Misconception(
            "source-and-target-exchanged",
            "You have exchanged source and target: the target makes the queries, the source keys and values.",
            SHEET | EXCHANGED,
            hint="what the rows are",
        ),
        Misconception(
            "keys-row-target-token-keys",
            "Your keys have one row for each target token. Keys describe the source, so they have n_src rows.",
            SHEET | {"K": "B n_tgt d_q"},
        ),
        Misconception(
            "values-row-target-token-values",
            "Your values have one row for each target token. Values come from the source, like the keys.",
            SHEET | {"V": "B n_tgt d_v"},
        ),
        Misconception(
            "scores-row-key-q-k",
            "Your scores have one row for each key. In Q Kᵀ the rows are the queries, one for each target token.",
            SHEET | {"scores": "B n_src n_tgt"},
        ),
        Misconception(
            "output-row-source-token-query",
            "Your output has one row for each source token. Each query gets one row of output, so Z has n_tgt.",
            SHEET | {"Z": "B n_src d_v"},
        ),
        Misconception(
            "output-width-queries-average-values",
            "Your output is as wide as the queries. It is an average of values, so its width is d_v.",
            SHEET | {"Z": "B n_tgt d_q"},
        ),
        Misconception(
            "weights-carry-batch-dimension-every",
            "Your W_q has a batch dimension; all sequences of the batch share one matrix.",
            SHEET | {"W_q": "B d d_q"},
        ),
        Misconception(
            "weights-stored-nn-linear-stores",
            "Your W_q is (d_q, d), as nn.Linear stores it. Here W_q is to the right of X, so it is (d, d_q).",
            SHEET | {"W_q": "d_q d"},
        ),
    ),
    accepted=(
        {name: tuple(entry.split()) for name, entry in SHEET.items()},
        {name: f"({', '.join(entry.split())})" for name, entry in SHEET.items()},
        {name: f"  {entry.replace(' ', ' × ')} " for name, entry in SHEET.items()},
        {name: entry.split() for name, entry in reversed(SHEET.items())} | {"X_tgt": "B n_tgt d"},
    ),
    shortcuts=(
        dict.fromkeys(SHEET, "B n_tgt d"),
        dict.fromkeys(SHEET, "B n_tgt d_q"),
        dict.fromkeys(SHEET, "B n_src d"),
        dict.fromkeys(SHEET, "d d_q"),
    ),
)

query_key_value_roles = ChooseExam(
    exercise="query_key_value_roles",
    covers=("A2", "Bt2"),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(True, "the target asks, so it makes the queries; the source answers with keys and values."),
        "B": Option(False, "the weights compare queries with keys; the values are only averaged with them."),
        "C": Option(True, "each query gets one weighted average, so Z has as many rows as Q."),
        "D": Option(False, "each key belongs to one value, so their numbers agree, but d_k and d_v may differ."),
        "E": Option(True, "a key says what a token offers, its value is what is handed over."),
        "F": Option(False, "a softmax gives every source token that is not masked some weight, never exactly zero."),
    },
    accepted=("ace", "E, C, A", ["A", "C", "E"], {"A", "C", "E"}),
    shortcuts=("ABCDEF",),
)
