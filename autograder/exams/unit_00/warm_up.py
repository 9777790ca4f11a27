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


def _by_three_loops(a, b):
    c = torch.zeros(len(a), a.shape[1], b.shape[1], dtype=a.dtype)
    for k in range(len(a)):
        for i in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[k, i, j] = a[k, i] * b[k, j]
    return c


def _flawed_outer(a, b, *, combine="multiply", transposed=False):
    left, right = (b, a) if transposed else (a, b)
    left, right = left[:, :, None], right[:, None, :]
    return left * right if combine == "multiply" else left + right


batched_outer = CodeExam(
    exercise="batched_outer",
    function=warm_up.batched_outer,
    outputs=("c",),
    criteria=(
        CodeCriterion("one table for each row of the batch", 1.5, _outer_arguments),
        CodeCriterion("the arguments are left unchanged", 0.5, _outer_arguments, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "product-t-b-adds-up",
            "You use a.T @ b, which sums over the batch. Keep the rows of the batch apart: one table for each.",
            lambda a, b: a.T @ b,
            hint="without a loop",
        ),
        Misconception(
            "make-table-first-row-batch",
            "You return the table of the first row of the batch only; expected one for every row.",
            lambda a, b: torch.outer(a[0], b[0]),
            hint="one table first",
        ),
        Misconception(
            "turned",
            "Your tables are transposed: a runs down the rows, b along the columns.",
            partial(_flawed_outer, transposed=True),
            hint="nearly there",
        ),
        Misconception(
            "combine-add",
            "You add the two numbers; expected their product.",
            partial(_flawed_outer, combine="add"),
            hint="one table first",
        ),
        Misconception(
            "combine-every-row-every-row",
            "You combine every row of a with every row of b; expected row k of a with row k of b only.",
            lambda a, b: torch.einsum("ki,lj->klij", a, b),
            hint="one table first",
        ),
        Misconception(
            "combine-every-row-every-row",
            "You combine every row of a with every row of b; expected row k of a with row k of b only.",
            lambda a, b: torch.outer(a.flatten(), b.flatten()),
            hint="one table first",
        ),
        Misconception(
            "tables-flattened-batch-n-m",
            "Your tables are flattened to (batch, n·m); keep n and m as two dimensions.",
            lambda a, b: torch.einsum("ki,kj->kij", a, b).flatten(1),
            hint="without a loop",
        ),
        Misconception(
            "batch-last",
            "Your tables are stacked along the last dimension; expected the batch first: torch.stack(tables).",
            lambda a, b: torch.einsum("ki,kj->ijk", a, b),
            hint="one table first",
        ),
        Misconception(
            "list-not-stacked",
            "You return a list of tables. torch.stack(tables) makes one tensor of them.",
            lambda a, b: [torch.outer(x, y) for x, y in zip(a, b, strict=True)],
            hint="one table first",
        ),
        Misconception(
            "tables-concatenated",
            "You join the tables into one long one, as torch.cat does; torch.stack keeps them apart.",
            lambda a, b: torch.einsum("ki,kj->kij", a, b).flatten(0, 1),
            hint="one table first",
        ),
        Misconception(
            "tables-summed",
            "You sum each table over a dimension, so a single number or row is left of it; return the whole table.",
            lambda a, b: torch.einsum("ki,kj->ki", a, b),
            hint="one table first",
        ),
    ),
    accepted=(
        lambda a, b: torch.einsum("ki,kj->kij", a, b),
        lambda a, b: a[:, :, None] @ b[:, None, :],
        lambda a, b: torch.stack([torch.outer(x, y) for x, y in zip(a, b, strict=True)]),
        lambda a, b: torch.bmm(a.unsqueeze(2), b.unsqueeze(1)),
        lambda a, b: a[..., None] * b[:, None],
        torch.vmap(torch.outer),
        _by_three_loops,
        lambda a, b: torch.cat([torch.outer(a[k], b[k]).unsqueeze(0) for k in range(a.shape[0])], dim=0),
        lambda a, b: a.view(*a.shape, 1).expand(-1, -1, b.shape[1]) * b.view(b.shape[0], 1, -1),
        lambda a, b: torch.matmul(a.unsqueeze(-1), b.unsqueeze(-2)),
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
            "Your W is (d_k, d), as nn.Linear stores it. Here X is multiplied by W from the right, so d comes first.",
            SHEET | {"W": "d_k d"},
            hint="where to begin",
        ),
        Misconception(
            "w-batch-dimension-sequences-share",
            "Your W has a batch dimension; all sequences share one W.",
            SHEET | {"W": "B d d_k"},
            hint="where to begin",
        ),
        Misconception(
            "p-wide-x-d-x",
            "Your P is as wide as X. The d that X and W share disappears in the product, and d_k is left.",
            SHEET | {"P": "B n d"},
        ),
        Misconception(
            "g-compares-features-features-p",
            "Your G compares features with features; P Pᵀ has one row and one column for each token.",
            SHEET | {"G": "B d_k d_k"},
            hint="transposes",
        ),
        Misconception(
            "g-lost-batch-b-rides",
            "Your G has no batch dimension; B stays in front in every product.",
            SHEET | {"G": "n n"},
        ),
        Misconception(
            "s-turned",
            "Your S is transposed: X is on the left, so the rows are the tokens of X.",
            SHEET | {"S": "B m n"},
            hint="transposes",
        ),
        Misconception(
            "r-tokens-y-rows-summed",
            "Your R has the tokens of Y as rows; the product S Y sums over them.",
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
    shortcuts=(
        dict.fromkeys(SHEET, "B n d"),
        dict.fromkeys(SHEET, "B m d"),
        dict.fromkeys(SHEET, "B n m"),
        dict.fromkeys(SHEET, "d d"),
    ),
)
