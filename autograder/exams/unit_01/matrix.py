"""The attention matrix, which depends on its input."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_01.attention import BUILT_IN_ATTENTION, no_squares
from course_lib.nn import attention


def _matrix_arguments(draw: Draw) -> list[Tensor]:
    n, d, d_q = no_squares(draw, 3)
    return [draw.normal(n, d), draw.normal(d, d_q) / 2, draw.normal(d, d_q) / 2]


def _flawed_matrix(X, w_q, w_k, *, divide="root", axis=-1, softmax=True, places="right", matrices="own"):
    identity = torch.eye(X.shape[-1], dtype=X.dtype)
    query, key = {"own": (w_q, w_k), "w_q": (w_q, w_q), "w_k": (w_k, w_k), "none": (identity, identity)}[matrices]
    queries, keys = X @ query, X @ key
    if places == "exchanged":
        queries, keys = keys, queries
    divisor = {
        "root": w_q.shape[-1],
        "nothing": 1.0,
        "width of X": X.shape[-1],
        "tokens": X.shape[0],
        "square": w_q.shape[-1] ** 2,
    }[divide]
    scores = queries @ keys.T / math.sqrt(divisor)
    return scores.softmax(axis) if softmax else scores


def _with_values(X, w_q, w_k):
    return attention.attention_matrix(X, w_q, w_k) @ X


def _row_by_row(X, w_q, w_k):
    """Without broadcasting: each entry on its own."""
    q, k, n = X @ w_q, X @ w_k, X.shape[0]
    rows = [[torch.dot(q[i], k[j]) / w_k.shape[1] ** 0.5 for j in range(n)] for i in range(n)]
    exp = torch.stack([torch.stack(row) for row in rows]).exp()
    return exp / exp.sum(1, keepdim=True)


attention_matrix = CodeExam(
    exercise="attention_matrix",
    covers=("E3c",),
    function=attention.attention_matrix,
    outputs=("A",),
    properties={"A": "rows sum to one"},
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("A", 3, _matrix_arguments),
        CodeCriterion("gradients reach X, w_q and w_k", 0.5, _matrix_arguments, "gradients", side=True),
        CodeCriterion("the arguments are left unchanged", 0.5, _matrix_arguments, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "divide-nothing",
            "Your A equals the attention matrix without the 1/√d_q scale.",
            partial(_flawed_matrix, divide="nothing"),
            hint="nearly there",
        ),
        Misconception(
            "divide-width-of-x",
            "You scale by 1/√d, with the width of X; expected 1/√d_q, with the width of the queries.",
            partial(_flawed_matrix, divide="width of X"),
            hint="which width",
        ),
        Misconception(
            "divide-tokens",
            "You scale by 1/√n, with the number of tokens; expected 1/√d_q, with the width of the queries.",
            partial(_flawed_matrix, divide="tokens"),
            hint="which width",
        ),
        Misconception(
            "divide-square",
            "You divide the scores by d_q; expected √d_q.",
            partial(_flawed_matrix, divide="square"),
            hint="nearly there",
        ),
        Misconception(
            "axis-0",
            "Your softmax runs down the columns. Each row, one query, must sum to 1.",
            partial(_flawed_matrix, axis=0),
            hint="nearly there",
        ),
        Misconception(
            "no-softmax",
            "Your A has the scaled scores: the softmax is missing.",
            partial(_flawed_matrix, softmax=False),
            hint="nearly there",
        ),
        Misconception(
            "places-exchanged",
            "Queries and keys have changed places: the rows of A are queries, X w_q.",
            partial(_flawed_matrix, places="exchanged"),
            hint="nearly there",
        ),
        Misconception(
            "transposed",
            "Your A is transposed: each row is a query, and its weights over the keys sum to 1.",
            lambda X, w_q, w_k: attention.attention_matrix(X, w_q, w_k).T,
            hint="nearly there",
        ),
        Misconception(
            "keys-w-q",
            "You use w_q for the keys too; keys have a matrix of their own, w_k.",
            partial(_flawed_matrix, matrices="w_q"),
            hint="nearly there",
        ),
        Misconception(
            "queries-w-k",
            "You use w_k for the queries too; queries have a matrix of their own, w_q.",
            partial(_flawed_matrix, matrices="w_k"),
            hint="nearly there",
        ),
        Misconception(
            "no-weights-divide-width-of-x",
            "Your A does not use w_q and w_k.",
            lambda X, w_q, w_k: _flawed_matrix(X, w_q, w_k, matrices="none", divide="width of X"),
            hint="nearly there",
        ),
        Misconception(
            "no-weights-divide-width-of-x",
            "Your A does not use w_q and w_k.",
            lambda X, w_q, w_k: _flawed_matrix(X, w_q, w_k, matrices="none"),
            hint="nearly there",
        ),
        Misconception(
            "with-values",
            "You multiply A by X; expected the attention matrix A alone, without values.",
            _with_values,
            hint="you have it already",
        ),
    ),
    accepted=(
        lambda X, w_q, w_k: attention.scaled_dot_product_attention(X @ w_q, X @ w_k, X)[1],
        lambda X, w_q, w_k: F.softmax(X @ (w_q @ w_k.T) @ X.T * w_k.size(1) ** -0.5, dim=1),
        lambda X, w_q, w_k: torch.stack([(x @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[1])).softmax(-1) for x in X]),
        lambda X, w_q, w_k: attention.cross_attention(X, X, w_q, w_k, torch.eye(X.shape[1]))[1],
        _row_by_row,
        lambda X, w_q, w_k: torch.einsum("id,de,fe,jf->ij", X, w_q, w_k, X).div(w_q.size(1) ** 0.5).softmax(dim=-1),
    ),
)
