"""Attention without the softmax: a Gram matrix, and two proofs that it is not a linear layer."""

import math

import torch
from torch import Tensor

from autograder.exam_types import CodeCriterion, CodeExam, CounterexampleExam
from autograder.exam_types.draw import Draw
from autograder.exam_types.exam import Criterion, Misconception
from course_lib.nn import attention


def _gram_arguments(draw: Draw) -> list[Tensor]:
    n, d = draw.sizes(2)
    return [draw.normal(n, d)]


gram_attention = CodeExam(
    exercise="gram_attention",
    covers=("E3a",),
    function=attention.gram_attention,
    outputs=("output",),
    criteria=(
        CodeCriterion("output", 1.5, _gram_arguments),
        CodeCriterion("the argument is left unchanged", 0.5, _gram_arguments, "arguments after", side=True),
    ),
    misconceptions=(
        Misconception(
            "return-scores-x-x-alone",
            "You return the scores X Xᵀ alone; multiply them with the values, X.",
            lambda X: X @ X.T,
        ),
        Misconception("apply-softmax", "You apply a softmax; expected none here.", lambda X: (X @ X.T).softmax(-1) @ X),
        Misconception(
            "scale-1-root-d",
            "You scale by 1/√d; expected no scale here.",
            lambda X: X @ X.T @ X / math.sqrt(X.shape[-1]),
        ),
        Misconception(
            "scores-compare-features-x-x",
            "You return Xᵀ X, which compares features; expected X Xᵀ X, whose scores compare tokens.",
            lambda X: X.T @ X,
        ),
        Misconception(
            "transposed-product",
            "You compute Xᵀ X Xᵀ, so tokens are columns of your output; expected X Xᵀ X, with a row for each token.",
            lambda X: X.T @ X @ X.T,
            hint="shapes",
        ),
        Misconception(
            "product-element-element",
            "Your product is taken element by element; use @ for a matrix product.",
            lambda X: X * X * X,
        ),
    ),
    accepted=(
        lambda X: X @ (X.T @ X),
        lambda X: torch.einsum("id,jd,je->ie", X, X, X),
        lambda X: torch.stack([sum((x @ y) * y for y in X) for x in X]),
        lambda X: torch.linalg.multi_dot([X, X.mT, X]),
        lambda X: torch.matmul(torch.matmul(X, X.transpose(0, 1)), X),
        lambda X: sum(torch.outer(X @ token, token) for token in X),
    ),
)


ZERO_TENSOR = "One of your tensors is zero, and adding zero changes nothing. Give both nonzero entries."
CANCELLING = "Your tensors cancel, X2 = −X1, so both sides are zero: f is odd. Try tensors that do not cancel."
APART = "Your tensors share no token and no feature, so no product mixes them. Let both use the same entries."
TINY = "One of your tensors is so small beside the other that the difference is lost. Use numbers of similar size."


not_additive = CounterexampleExam(
    exercise="not_additive",
    covers=("E3b",),
    parts=("matrix", "matrix"),
    example=lambda: (torch.eye(2), torch.eye(2)),
    criteria=(Criterion("the tensors refute additivity", 2),),
    misconceptions=(
        Misconception("zero-tensor", ZERO_TENSOR, (torch.zeros(2, 3), torch.ones(2, 3))),
        Misconception("zero-tensor", ZERO_TENSOR, (torch.ones(1, 1), torch.zeros(1, 1))),
        Misconception("cancelling", CANCELLING, (torch.ones(3, 2), -torch.ones(3, 2))),
        Misconception("apart", APART, (torch.tensor([[1.0, 0.0], [0.0, 0.0]]), torch.tensor([[0.0, 0.0], [0.0, 1.0]]))),
        Misconception("tiny", TINY, (torch.ones(2, 2), 1e-9 * torch.ones(2, 2))),
    ),
    accepted=(
        (torch.ones(1, 1), torch.ones(1, 1)),
        [torch.ones(3, 2, dtype=torch.int64), torch.ones(3, 2)],
        (torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, -1.0]])),
        (torch.eye(3, dtype=torch.float64), -2 * torch.eye(3, dtype=torch.float64)),
    ),
    shortcuts=(
        (torch.zeros(2, 2), torch.zeros(2, 2)),
        (torch.eye(2), torch.zeros(2, 2)),
        (torch.eye(2), -torch.eye(2)),
    ),
)

SAME_TOKEN = "Both indices are the same token. That its own output changes refutes nothing."
ORTHOGONAL = (
    "These two tokens are orthogonal, so neither changes the other's output. Choose two whose dot product is not 0."
)
ZERO_TOKEN = "One of the two tokens is zero, so its dot product with every token is 0. Give both nonzero entries."


mixes_tokens = CounterexampleExam(
    exercise="mixes_tokens",
    covers=("E3b",),
    parts=("matrix", "index", "index"),
    example=lambda: (torch.ones(2, 3), 0, 1),
    criteria=(Criterion("changing one token changes the output of another", 2),),
    misconceptions=(
        Misconception("orthogonal", ORTHOGONAL, (torch.eye(3), 0, 1)),
        Misconception("orthogonal", ORTHOGONAL, (torch.tensor([[1.0, 1.0], [1.0, -1.0]]), 1, 0)),
        Misconception("same-token", SAME_TOKEN, (torch.ones(2, 3), 1, 1)),
        Misconception("zero-token", ZERO_TOKEN, (torch.tensor([[0.0, 0.0], [1.0, 2.0]]), 0, 1)),
        Misconception("zero-token", ZERO_TOKEN, (torch.tensor([[0.0, 0.0], [1.0, 2.0]]), 1, 0)),
    ),
    accepted=(
        (torch.tensor([[1, 0], [1, 1]]), 1, 0),
        [torch.ones(4, 1), torch.tensor(3), 0],
        (torch.tensor([[0.5, -1.0], [2.0, 2.0]], dtype=torch.float64), 0, 1),
        (-torch.ones(5, 2), 4, 2),
    ),
    shortcuts=((torch.zeros(2, 2), 0, 1), (torch.eye(2), 0, 1), (torch.ones(2, 2), 0, 0)),
)
