"""The shapes of multi-head attention with heads of any width, and what concatenation does to widths."""

from collections.abc import Mapping

import torch
from torch import Tensor

from autograder.exam_types import ChooseExam, Option, ShapesCriterion, ShapesExam
from autograder.exam_types.exam import Criterion, Misconception
from course_lib.cards.shape_exercises import MULTI_HEAD
from course_lib.nn.attention import scaled_dot_product_attention
from course_lib.nn.multihead import merge_heads, split_heads


def _multi_head_tensors(size: Mapping[str, int]) -> dict[str, Tensor]:
    b, n_q, n_k, d, h, d_k, d_v = (size[name] for name in ("B", "n_q", "n_k", "d", "h", "d_k", "d_v"))
    asking, answering = torch.zeros(b, n_q, d), torch.zeros(b, n_k, d)
    w = {"W_q": torch.zeros(d, h * d_k), "W_k": torch.zeros(d, h * d_k), "W_v": torch.zeros(d, h * d_v)}
    q, k, v = asking @ w["W_q"], answering @ w["W_k"], answering @ w["W_v"]
    heads = {"Q_heads": split_heads(q, h), "K_heads": split_heads(k, h), "V_heads": split_heads(v, h)}
    z_heads, a = scaled_dot_product_attention(*heads.values())
    w_o, z = torch.zeros(h * d_v, d), merge_heads(z_heads)
    return w | heads | {"Q": q, "K": k, "V": v, "A": a, "Z_heads": z_heads, "Z": z, "W_o": w_o, "H": z @ w_o}


SHEET = {
    "W_q": "d h*d_k",
    "W_k": "d h*d_k",
    "W_v": "d h*d_v",
    "Q": "B n_q h*d_k",
    "K": "B n_k h*d_k",
    "V": "B n_k h*d_v",
    "Q_heads": "B h n_q d_k",
    "K_heads": "B h n_k d_k",
    "V_heads": "B h n_k d_v",
    "A": "B h n_q n_k",
    "Z_heads": "B h n_q d_v",
    "Z": "B n_q h*d_v",
    "W_o": "h*d_v d",
    "H": "B n_q d",
}

multi_head_shapes = ShapesExam(
    exercise="multi_head_shapes",
    covers=("D1.2a", "D1.3a"),
    dimensions=MULTI_HEAD.dimensions,
    given=MULTI_HEAD.given,
    sheet=SHEET,
    relations=MULTI_HEAD.relations,
    tensors=_multi_head_tensors,
    criteria=(
        ShapesCriterion("the stacked weights and projections", 2, ("W_q", "W_k", "W_v", "Q", "K", "V")),
        ShapesCriterion("the heads, and what each computes", 2, ("Q_heads", "K_heads", "V_heads", "A", "Z_heads")),
        ShapesCriterion("side by side again, and out", 2, ("Z", "W_o", "H")),
    ),
    misconceptions=(
        Misconception(
            "w-q-makes-queries-head",
            "Your W_q makes the queries of one head; stacked for all heads it has h*d_k columns.",
            SHEET | {"W_q": "d d_k", "Q": "B n_q d_k"},
        ),
        Misconception(
            "no-dimension-heads-head-map",
            "Your A has no dimension for the heads; each head has a map of its own, so A is (B, h, n_q, n_k).",
            SHEET | {"A": "B n_q n_k"},
        ),
        Misconception(
            "heads-come-after-tokens-attend",
            "Your heads come after the tokens; to attend head by head, h stands before them: (B, h, n_q, d_k).",
            SHEET | {"Q_heads": "B n_q h d_k"},
        ),
        Misconception(
            "heads-share-out-tokens-share",
            "Your heads share out the tokens; they share out the features, and each head sees all n_q tokens.",
            SHEET | {"Q_heads": "B h n_q/h d_k"},
        ),
        Misconception(
            "z-width-head-heads-stand",
            "Your Z has the width of one head; the heads stand side by side in it, so its width is h*d_v.",
            SHEET | {"Z": "B n_q d_v", "W_o": "d_v d"},
        ),
        Misconception(
            "z-wide-queries-values-concatenated",
            "Your Z is as wide as queries are; values are what is concatenated, so its width is h*d_v.",
            SHEET | {"Z": "B n_q h*d_k", "W_o": "h*d_k d"},
        ),
        Misconception(
            "w-o-d-d-fits",
            "Your W_o is (d, d), which fits only if h*d_v happens to be d; in general it is (h*d_v, d).",
            SHEET | {"W_o": "d d"},
        ),
        Misconception(
            "h-keeps-width-heads-w",
            "Your H keeps the width of the heads; W_o brings it back to d, so that blocks can be stacked.",
            SHEET | {"H": "B n_q h*d_v"},
        ),
    ),
    accepted=(
        {name: tuple(entry.split()) for name, entry in SHEET.items()},
        {name: entry.replace("h*d_k", "d_k*h").replace("h*d_v", "d_v * h") for name, entry in SHEET.items()},
        {name: f"({', '.join(entry.split())})" for name, entry in SHEET.items()},
        SHEET | {"W_q": "d d_k*h", "H": "B × n_q × d"},
    ),
)

head_widths = ChooseExam(
    exercise="head_widths",
    covers=("C4", "A2"),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(True, "concatenation puts widths side by side: 8 · 64 = 512."),
        "B": Option(True, "the width is shared out among the heads: 8 / 4 = 2."),
        "C": Option(False, "each head projects to d/h = 2 features, so side by side they are 8 wide, not 32."),
        "D": Option(False, "the matrices stay (d, d): heads cut them into pieces and add none."),
        "E": Option(True, "until W_o the heads' results lie in separate columns; W_o is where they meet."),
        "F": Option(False, "heads are put side by side; an average would throw away which head found what."),
    },
    accepted=("abe", "E, B, A", ["A", "B", "E"], {"B", "A", "E"}),
)
