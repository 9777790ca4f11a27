"""The derivative of the softmax as a matrix."""

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Misconception
from course_lib.nn import softmax as reference

AUTOGRAD = (
    "torch.autograd.grad",
    "torch.autograd.backward",  # Tensor.backward calls it
    "torch.autograd.functional.jacobian",
    "torch.func.jacrev",
    "torch.func.jacfwd",
    "torch.func.grad",
)


def _one_vector(draw: Draw, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    return [draw.normal(*draw.sizes(1), dtype=dtype)]


def _by_entries(x):
    y = reference.softmax(x, 0)
    n = len(y)
    return torch.stack([torch.stack([y[i] * (float(i == j) - y[j]) for j in range(n)]) for i in range(n)])


def _filled(x):
    y = reference.softmax(x, 0)
    jacobian = -y[:, None] * y[None, :]
    jacobian.fill_diagonal_(0)
    return jacobian + torch.diag(y * (1 - y))


def _flipped_beside_diagonal(x: Tensor) -> Tensor:
    y = x.softmax(0)
    return torch.outer(y, y) + torch.diag(y * (1 - 2 * y))


softmax_jacobian = CodeExam(
    exercise="softmax_jacobian",
    covers=("Bt11",),
    function=reference.softmax_jacobian,
    outputs=("J",),
    forbidden=AUTOGRAD,
    criteria=(
        CodeCriterion("J", 2, _one_vector),
        CodeCriterion(
            "float64 in, float64 out", 0.5, lambda draw: _one_vector(draw, torch.float64), "dtypes", side=True
        ),
        CodeCriterion("x is left unchanged", 0.5, _one_vector, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "filled-diagonal-only",
            "You fill the diagonal only. Every score moves every output: beside it, J[i, j] = −y_i y_j.",
            lambda x: (x.softmax(0) * (1 - x.softmax(0))).diag(),
            hint="every pair",
        ),
        Misconception(
            "flipped-beside-diagonal",
            "The sign beside the diagonal is wrong: J[i, j] = −y_i y_j for i ≠ j.",
            _flipped_beside_diagonal,
            hint="multiply out",
        ),
        Misconception(
            "use-y-i-1-y",
            "You use y_i (1 − y_j) everywhere. The 1 is δ_ij, so it is on the diagonal only.",
            lambda x: x.softmax(0)[:, None] * (1 - x.softmax(0)),
            hint="multiply out",
        ),
        Misconception(
            "y-i-diagonal-missing",
            "The y_i of the diagonal is missing: J = diag(y) − y yᵀ.",
            lambda x: -torch.outer(x.softmax(0), x.softmax(0)),
            hint="nearly there",
        ),
        Misconception(
            "one-for-y-i",
            "Your diagonal starts from 1, not from y_i: J = diag(y) − y yᵀ.",
            lambda x: torch.eye(len(x)) - torch.outer(x.softmax(0), x.softmax(0)),
            hint="nearly there",
        ),
        Misconception(
            "squares-in-columns",
            "You subtract y * y, which holds the squares y_j² in every row; expected all products y_i y_j: "
            "torch.outer(y, y).",
            lambda x: x.softmax(0).diag() - x.softmax(0) * x.softmax(0),
            hint="nearly there",
        ),
        Misconception(
            "plus-for-minus",
            "You add the products y_i y_j; expected a minus: J = diag(y) − y yᵀ.",
            lambda x: x.softmax(0).diag() + torch.outer(x.softmax(0), x.softmax(0)),
            hint="multiply out",
        ),
        Misconception(
            "whole-j-wrong-sign",
            "Your whole J has the wrong sign: J = diag(y) − y yᵀ.",
            lambda x: torch.outer(x.softmax(0), x.softmax(0)) - x.softmax(0).diag(),
            hint="nearly there",
        ),
        Misconception(
            "factor-y-i-lost",
            "The factor y_i is missing: J[i, j] = y_i (δ_ij − y_j).",
            lambda x: torch.eye(len(x)) - x.softmax(0),
            hint="multiply out",
        ),
        Misconception(
            "return-diagonal-alone-vector",
            "You return the diagonal alone, as a vector; expected the matrix (n, n).",
            lambda x: x.softmax(0) * (1 - x.softmax(0)),
            hint="every pair",
        ),
        Misconception(
            "use-x-place-y",
            "You use x where y belongs. Take the softmax first.",
            lambda x: x.diag() - torch.outer(x, x),
            hint="every pair",
        ),
        Misconception(
            "one-number",
            "You subtract y @ y, which is one number; expected all products y_i y_j: torch.outer(y, y).",
            lambda x: x.softmax(0).diag() - x.softmax(0) @ x.softmax(0),
            hint="nearly there",
        ),
    ),
    accepted=(
        _by_entries,
        _filled,
        lambda x: x.softmax(0)[:, None] * (torch.eye(len(x), dtype=x.dtype) - x.softmax(0)[None, :]),
        lambda x: torch.diag(x.softmax(0)) - torch.einsum("i,j->ij", x.softmax(0), x.softmax(0)),
        lambda x: torch.diagflat(x.softmax(-1)) - x.softmax(-1).reshape(-1, 1) @ x.softmax(-1).reshape(1, -1),
        lambda x: reference.softmax(x, 0) * torch.eye(x.numel(), dtype=x.dtype) - x.softmax(0).outer(x.softmax(0)),
    ),
)
