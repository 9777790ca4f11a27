"""Attention with tokens as columns."""

import math
from functools import partial

import torch
import torch.nn.functional as F

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Arguments, Draw
from autograder.exam_types.exam import Misconception
from autograder.exams.unit_01.attention import BUILT_IN_ATTENTION
from course_lib.nn import attention


def _column_arguments(draw: Draw) -> Arguments:
    d, n, m, t = draw.sizes(4)
    return [draw.normal(d, n), draw.normal(d, m), draw.normal(t, m), draw.uniform(0.2, 0.7)]


def _large_beta(draw: Draw) -> Arguments:
    """Scores are small, so that the weights are not saturated."""
    Q, K, V, beta = _column_arguments(draw)
    return [Q / 4, K, V, 4 * beta + 0.5]


def _flawed_columns(Q, K, V, beta, *, axis=0, factor="beta", softmax=True, transposed=False):
    factors = {
        "beta": beta,
        "one": 1.0,
        "outside": 1.0,
        "beta and root": beta / math.sqrt(len(Q)),
        "root": 1 / math.sqrt(len(Q)),
        "inverse": 1 / beta,
    }
    scores = factors[factor] * K.T @ Q
    H = V @ (scores.softmax(axis) if softmax else scores) * (beta if factor == "outside" else 1.0)
    return H.T if transposed else H


def _columns_by_rows(Q, K, V, beta):
    return ((beta * Q.T @ K).softmax(-1) @ V.T).T


def _columns_by_einsum(Q, K, V, beta):
    weights = torch.softmax(beta * torch.einsum("dm,dn->mn", K, Q), dim=0)
    return torch.einsum("tm,mn->tn", V, weights)


def _columns_one_by_one(Q, K, V, beta):
    return torch.stack([V @ F.softmax(beta * (K.T @ q), dim=0) for q in Q.T], dim=1)


def _columns_by_exp(Q, K, V, beta):
    exp = torch.exp(beta * K.T @ Q)
    return V @ exp / exp.sum(0)


def _columns_by_attention(Q, K, V, beta):
    """The row convention on transposed arguments, with beta in place of its own scale."""
    queries = Q.T * (beta * math.sqrt(Q.shape[0]))
    return attention.scaled_dot_product_attention(queries, K.T, V.T)[0].T


def _columns_by_loop(Q, K, V, beta):
    H = []
    for j in range(Q.shape[1]):
        scores = torch.stack([beta * torch.dot(K[:, i], Q[:, j]) for i in range(K.shape[1])])
        weights = torch.softmax(scores, dim=0)
        H.append(sum(weights[i] * V[:, i] for i in range(K.shape[1])))
    return torch.stack(H, dim=1)


column_attention = CodeExam(
    exercise="column_attention",
    covers=("D1.1a",),
    function=attention.column_attention,
    outputs=("H",),
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("H", 2, _column_arguments),
        CodeCriterion("H, with a beta above 1", 1, _large_beta),
        CodeCriterion("gradients reach Q, K and V", 0.5, _column_arguments, "gradients", side=True),
        CodeCriterion("the arguments are left unchanged", 0.5, _column_arguments, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "axis-1",
            "Your softmax runs along the rows. With tokens as columns, each column must sum to 1 (dim=0).",
            partial(_flawed_columns, axis=1),
            hint="where the softmax goes",
        ),
        Misconception(
            "factor-one",
            "Your H does not depend on beta: it must multiply the scores.",
            partial(_flawed_columns, factor="one"),
            hint="nearly there",
        ),
        Misconception(
            "factor-beta-and-root",
            "You scale by 1/√d as well; here beta takes its place.",
            partial(_flawed_columns, factor="beta and root"),
            hint="nearly there",
        ),
        Misconception(
            "factor-root",
            "You scale by 1/√d and ignore beta; here beta takes its place.",
            partial(_flawed_columns, factor="root"),
            hint="nearly there",
        ),
        Misconception(
            "factor-outside",
            "You multiply by beta outside the softmax; multiply the scores, inside it.",
            partial(_flawed_columns, factor="outside"),
            hint="nearly there",
        ),
        Misconception(
            "factor-inverse",
            "You divide the scores by beta; multiply them.",
            partial(_flawed_columns, factor="inverse"),
            hint="nearly there",
        ),
        Misconception(
            "transposed",
            "Your H is transposed: one column for each query, one row for each feature of the values.",
            partial(_flawed_columns, transposed=True),
            hint="nearly there",
        ),
        Misconception(
            "no-softmax",
            "Your weights are the scores: the softmax is missing.",
            partial(_flawed_columns, softmax=False),
            hint="where the softmax goes",
        ),
    ),
    accepted=(
        _columns_by_rows,
        _columns_by_einsum,
        _columns_one_by_one,
        _columns_by_exp,
        _columns_by_attention,
        _columns_by_loop,
    ),
)
