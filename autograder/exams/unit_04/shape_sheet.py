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
    b, n_q, n_k, d, t, h, d_k, d_v = (size[name] for name in MULTI_HEAD.dimensions)
    w = {"W_q": torch.zeros(d, h * d_k), "W_k": torch.zeros(d, h * d_k), "W_v": torch.zeros(t, h * d_v)}
    q, k = torch.zeros(b, n_q, d) @ w["W_q"], torch.zeros(b, n_k, d) @ w["W_k"]
    v = torch.zeros(b, n_k, t) @ w["W_v"]
    heads = {"Q_heads": split_heads(q, h), "K_heads": split_heads(k, h), "V_heads": split_heads(v, h)}
    z_heads, a = scaled_dot_product_attention(*heads.values())
    w_o, z = torch.zeros(h * d_v, t), merge_heads(z_heads)
    return w | heads | {"Q": q, "K": k, "V": v, "A": a, "Z_heads": z_heads, "Z": z, "W_o": w_o, "H": z @ w_o}


SHEET = {
    "W_q": "d h*d_k",
    "W_k": "d h*d_k",
    "W_v": "t h*d_v",
    "Q": "B n_q h*d_k",
    "K": "B n_k h*d_k",
    "V": "B n_k h*d_v",
    "Q_heads": "B h n_q d_k",
    "K_heads": "B h n_k d_k",
    "V_heads": "B h n_k d_v",
    "A": "B h n_q n_k",
    "Z_heads": "B h n_q d_v",
    "Z": "B n_q h*d_v",
    "W_o": "h*d_v t",
    "H": "B n_q t",
}
# One head from beginning to end, with an h painted into the middle.
ONE_HEAD = {
    "W_q": "d d_k",
    "W_k": "d d_k",
    "W_v": "t d_v",
    "Q": "B n_q d_k",
    "K": "B n_k d_k",
    "V": "B n_k d_v",
    "Z": "B n_q d_v",
    "W_o": "d_v t",
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
            "one-head",
            "Your projections and Z are those of a single head; stacked for all heads they are h times as wide.",
            SHEET | ONE_HEAD,
            hint="how wide is a stack?",
        ),
        Misconception(
            "w-q-makes-queries-head",
            "Your W_q makes the queries of one head; stacked for all heads it has h*d_k columns.",
            SHEET | {"W_q": "d d_k", "Q": "B n_q d_k"},
            hint="how wide is a stack?",
        ),
        Misconception(
            "values-from-d",
            "Your W_v has d rows. It multiplies X_v, whose tokens are t wide.",
            SHEET | {"W_v": "d h*d_v"},
            hint="how wide is a stack?",
        ),
        Misconception(
            "no-dimension-heads-head-map",
            "Your A has no dimension for the heads. Each head has a map of its own, so A is (B, h, n_q, n_k).",
            SHEET | {"A": "B n_q n_k"},
            hint="the way back",
        ),
        Misconception(
            "map-transposed",
            "Your A has a row for each key. In Q Kᵀ the rows are the queries, so A is (B, h, n_q, n_k).",
            SHEET | {"A": "B h n_k n_q"},
            hint="the way back",
        ),
        Misconception(
            "heads-come-after-tokens-attend",
            "Your heads come after the tokens. To attend head by head, h comes before them: (B, h, n_q, d_k).",
            SHEET | {"Q_heads": "B n_q h d_k"},
            hint="what splitting does",
        ),
        Misconception(
            "heads-share-out-tokens-share",
            "Your heads divide the tokens among them. They divide the features, and each head sees all n_q tokens.",
            SHEET | {"Q_heads": "B h n_q/h d_k"},
            hint="what splitting does",
        ),
        Misconception(
            "z-width-head-heads-stand",
            "Your Z has the width of one head. The heads are side by side in it, so its width is h*d_v.",
            SHEET | {"Z": "B n_q d_v", "W_o": "d_v t"},
            hint="the way back",
        ),
        Misconception(
            "z-wide-queries-values-concatenated",
            "Your Z is as wide as the queries. Values are what is concatenated, so its width is h*d_v.",
            SHEET | {"Z": "B n_q h*d_k", "W_o": "h*d_k t"},
            hint="the way back",
        ),
        Misconception(
            "w-o-d-d-fits",
            "Your W_o is square, which fits only if h*d_v happens to be t; in general it is (h*d_v, t).",
            SHEET | {"W_o": "t t"},
            hint="the way back",
        ),
        Misconception(
            "h-keeps-width-heads-w",
            "Your H keeps the width of the heads. W_o takes it back to t, the width of the value tokens.",
            SHEET | {"H": "B n_q h*d_v"},
            hint="the way back",
        ),
    ),
    accepted=(
        {name: tuple(entry.split()) for name, entry in SHEET.items()},
        {name: entry.replace("h*d_k", "d_k*h").replace("h*d_v", "d_v * h") for name, entry in SHEET.items()},
        {name: f"({', '.join(entry.split())})" for name, entry in SHEET.items()},
        SHEET | {"W_q": "d d_k*h", "H": "B × n_q × t"},
    ),
    shortcuts=(
        SHEET | ONE_HEAD,
        dict.fromkeys(SHEET, "B n_q t"),
        dict.fromkeys(SHEET, "B n_q d"),
        dict.fromkeys(SHEET, "B h n_q d_k"),
        dict.fromkeys(SHEET, "d h*d_k"),
    ),
)

head_widths = ChooseExam(
    exercise="head_widths",
    covers=("C4", "A2"),
    criteria=(Criterion("the true statements", 3),),
    options={
        "A": Option(True, "concatenation puts widths side by side: 8 · 64 = 512."),
        "B": Option(True, "the width is divided among the heads: 8 / 4 = 2."),
        "C": Option(False, "each head projects to d/h = 2 features, so side by side they are 8 wide, not 32."),
        "D": Option(False, "the matrices stay (d, d): heads cut them into pieces and add none."),
        "E": Option(True, "until W_o the heads' results lie in separate columns; W_o is where they meet."),
        "F": Option(False, "heads are put side by side; an average would throw away which head found what."),
    },
    accepted=("abe", "E, B, A", ["A", "B", "E"], {"B", "A", "E"}),
    shortcuts=("ABCDEF",),
)
