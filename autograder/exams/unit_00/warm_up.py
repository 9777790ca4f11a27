"""The warm-up: outer products of a batch, and the shapes of four matrix products."""

from collections.abc import Mapping
from functools import partial

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam, ShapesCriterion, ShapesExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.cards.shape_exercises import MATMUL
from course_lib.nn import outer as warm_up


def _outer_arguments(draw: Draw) -> list[Tensor]:
    batch, n, m = draw.sizes(3)
    return [draw.normal(batch, n), draw.normal(batch, m)]


def _flawed_outer(a, b, *, combine="multiply", turned=False):
    left, right = (b, a) if turned else (a, b)
    left, right = left[:, :, None], right[:, None, :]
    return left * right if combine == "multiply" else left + right


batched_outer = CodeExam(
    exercise="batched_outer",
    function=warm_up.batched_outer,
    outputs=("c",),
    criteria=(
        CodeCriterion("one table for each row of the batch", 1.5, _outer_arguments, visible=True),
        CodeCriterion("the arguments are left unchanged", 0.5, _outer_arguments, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "product-t-b-adds-up",
            "Your product a.T @ b adds up over the batch: keep its rows apart, one table for each.",
            lambda a, b: a.T @ b,
            hint="without a loop",
        ),
        Misconception(
            "make-table-first-row-batch",
            "You make the table of the first row of the batch only: every row has one.",
            lambda a, b: torch.outer(a[0], b[0]),
            hint="one table first",
        ),
        Misconception(
            "turned",
            "Your tables are turned: numbers of a go with the rows, numbers of b with the columns.",
            partial(_flawed_outer, turned=True),
            hint="nearly there",
        ),
        Misconception(
            "combine-add",
            "You add the two numbers; the table holds their product.",
            partial(_flawed_outer, combine="add"),
            hint="one table first",
        ),
        Misconception(
            "combine-every-row-every-row",
            "You combine every row of a with every row of b; row k of a meets row k of b only.",
            lambda a, b: torch.einsum("ki,lj->klij", a, b),
            hint="one table first",
        ),
        Misconception(
            "tables-flattened-batch-n-m",
            "Your tables are flattened to (batch, n·m); keep n and m as two dimensions.",
            lambda a, b: torch.einsum("ki,kj->kij", a, b).flatten(1),
            hint="without a loop",
        ),
    ),
    accepted=(
        lambda a, b: torch.einsum("ki,kj->kij", a, b),
        lambda a, b: a[:, :, None] @ b[:, None, :],
        lambda a, b: torch.stack([torch.outer(x, y) for x, y in zip(a, b, strict=True)]),
        lambda a, b: torch.bmm(a.unsqueeze(2), b.unsqueeze(1)),
        lambda a, b: a[..., None] * b[:, None],
        torch.vmap(torch.outer),
    ),
)


def _products(size: Mapping[str, int]) -> dict[str, Tensor]:
    x = torch.zeros(size["B"], size["n"], size["d"])
    y = torch.zeros(size["B"], size["m"], size["d"])
    w = torch.zeros(size["d"], size["d_k"])
    p, s = x @ w, x @ y.transpose(1, 2)
    return {"W": w, "P": p, "G": p @ p.transpose(1, 2), "S": s, "R": s @ y}


SHEET = {"W": "d d_k", "P": "B n d_k", "G": "B n n", "S": "B n m", "R": "B n d"}

matmul_shapes = ShapesExam(
    exercise="matmul_shapes",
    dimensions=MATMUL.dimensions,
    given=MATMUL.given,
    sheet=SHEET,
    relations=MATMUL.relations,
    tensors=_products,
    criteria=(
        ShapesCriterion("the weight W", 0.4, ("W",)),
        ShapesCriterion("P, the tokens of X with another width", 0.4, ("P",)),
        ShapesCriterion("G, tokens compared with each other", 0.4, ("G",)),
        ShapesCriterion("S, tokens of X compared with tokens of Y", 0.4, ("S",)),
        ShapesCriterion("R, back to features", 0.4, ("R",)),
    ),
    misconceptions=(
        Misconception(
            "w-stored-nn-linear-stores",
            "Your W is stored as nn.Linear stores it; here it stands to the right of X, so d comes first.",
            SHEET | {"W": "d_k d"},
            hint="where to begin",
        ),
        Misconception(
            "w-batch-dimension-sequences-share",
            "Your W has a batch dimension; all sequences share one weight.",
            SHEET | {"W": "B d d_k"},
            hint="where to begin",
        ),
        Misconception(
            "p-wide-x-d-x",
            "Your P is as wide as X; the d that X and W share disappears, and d_k comes out.",
            SHEET | {"P": "B n d"},
        ),
        Misconception(
            "g-compares-features-features-p",
            "Your G compares features with features; P Pᵀ has a row and a column for each token.",
            SHEET | {"G": "B d_k d_k"},
            hint="transposes",
        ),
        Misconception(
            "g-lost-batch-b-rides", "Your G has lost the batch; B rides along in every product.", SHEET | {"G": "n n"}
        ),
        Misconception(
            "s-turned",
            "Your S is turned: X stands on the left, so the rows are the tokens of X.",
            SHEET | {"S": "B m n"},
            hint="transposes",
        ),
        Misconception(
            "r-tokens-y-rows-summed",
            "Your R has the tokens of Y as rows; they are summed over.",
            SHEET | {"R": "B m d"},
            hint="nearly there",
        ),
    ),
    accepted=(
        {name: tuple(entry.split()) for name, entry in SHEET.items()},
        {name: f"({', '.join(entry.split())})" for name, entry in SHEET.items()},
        {name: entry.replace(" ", " × ") for name, entry in SHEET.items()},
        {name: entry.split() for name, entry in reversed(SHEET.items())} | {"X": "B n d"},
    ),
)
