"""The attention matrix, which depends on its input."""

import math
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_01.attention import BUILT_IN_ATTENTION
from course_lib.nn import attention


def _matrix_arguments(draw: Draw) -> list[Tensor]:
    n, d, d_q = draw.sizes(3)
    return [draw.normal(n, d), draw.normal(d, d_q) / 2, draw.normal(d, d_q) / 2]


def _flawed_matrix(X, w_q, w_k, *, divide="root", axis=-1, softmax=True, places="right", weights=True):
    queries, keys = (X @ w_q, X @ w_k) if weights else (X, X)
    if places == "exchanged":
        queries, keys = keys, queries
    divisor = {"root": w_q.shape[-1], "nothing": 1.0, "width of X": X.shape[-1]}[divide]
    scores = queries @ keys.T / math.sqrt(divisor)
    return scores.softmax(axis) if softmax else scores


attention_matrix = CodeExam(
    exercise="attention_matrix",
    covers=("E3c",),
    function=attention.attention_matrix,
    outputs=("A",),
    properties={"A": "rows sum to one"},
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("A", 3, _matrix_arguments, visible=True),
        CodeCriterion("gradients reach X, w_q and w_k", 0.5, _matrix_arguments, "gradients"),
        CodeCriterion("the arguments are left unchanged", 0.5, _matrix_arguments, "arguments after"),
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
            "Your scale is 1/√d, the width of X; it must be 1/√d_q, that of queries.",
            partial(_flawed_matrix, divide="width of X"),
            hint="which width",
        ),
        Misconception(
            "axis-0",
            "Your softmax runs down the columns; each row, a query, must sum to 1.",
            partial(_flawed_matrix, axis=0),
            hint="nearly there",
        ),
        Misconception(
            "no-softmax", "Your softmax is missing.", partial(_flawed_matrix, softmax=False), hint="nearly there"
        ),
        Misconception(
            "places-exchanged",
            "Queries and keys have changed places: rows are queries, X w_q.",
            partial(_flawed_matrix, places="exchanged"),
            hint="nearly there",
        ),
        Misconception(
            "no-weights-divide-width-of-x",
            "Your A does not use w_q and w_k.",
            partial(_flawed_matrix, weights=False, divide="width of X"),
            hint="nearly there",
        ),
    ),
    accepted=(
        lambda X, w_q, w_k: attention.scaled_dot_product_attention(X @ w_q, X @ w_k, X)[1],
        lambda X, w_q, w_k: F.softmax(X @ (w_q @ w_k.T) @ X.T * w_k.size(1) ** -0.5, dim=1),
        lambda X, w_q, w_k: torch.stack([(x @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[1])).softmax(-1) for x in X]),
        lambda X, w_q, w_k: attention.cross_attention(X, X, w_q, w_k, torch.eye(X.shape[1]))[1],
    ),
)
