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


def _flawed_columns(Q, K, V, beta, *, axis=0, factor="beta", softmax=True, transposed=False):
    factors = {"beta": beta, "one": 1.0, "beta and root": beta / math.sqrt(len(Q)), "inverse": 1 / beta}
    scores = factors[factor] * K.T @ Q
    H = V @ (scores.softmax(axis) if softmax else scores)
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


column_attention = CodeExam(
    exercise="column_attention",
    covers=("D1.1a",),
    function=attention.column_attention,
    outputs=("H",),
    forbidden=BUILT_IN_ATTENTION,
    criteria=(
        CodeCriterion("H", 3, _column_arguments, visible=True),
        CodeCriterion("gradients reach Q, K and V", 0.5, _column_arguments, "gradients"),
        CodeCriterion("the arguments are left unchanged", 0.5, _column_arguments, "arguments after"),
    ),
    misconceptions=(
        Misconception(
            "axis-1",
            "Your softmax runs along the rows; with tokens as columns, each column must sum to 1 (dim=0).",
            partial(_flawed_columns, axis=1),
            hint="where the softmax goes",
        ),
        Misconception(
            "factor-one", "Your function ignores beta.", partial(_flawed_columns, factor="one"), hint="nearly there"
        ),
        Misconception(
            "factor-beta-and-root",
            "You scale by 1/√d as well: here beta stands in place of it.",
            partial(_flawed_columns, factor="beta and root"),
            hint="nearly there",
        ),
        Misconception(
            "factor-inverse",
            "You divide by beta: it multiplies the scores.",
            partial(_flawed_columns, factor="inverse"),
            hint="nearly there",
        ),
        Misconception(
            "transposed",
            "Your H is transposed: tokens stay columns, so H is (t, n).",
            partial(_flawed_columns, transposed=True),
            hint="nearly there",
        ),
        Misconception(
            "no-softmax",
            "Your softmax is missing.",
            partial(_flawed_columns, softmax=False),
            hint="where the softmax goes",
        ),
    ),
    accepted=(_columns_by_rows, _columns_by_einsum, _columns_one_by_one, _columns_by_exp),
)
