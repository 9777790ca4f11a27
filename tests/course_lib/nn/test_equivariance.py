"""The test for permutation equivariance says yes and no where it should, and rounding does not decide."""

import pytest
import torch
from torch import nn

from course_lib.nn.equivariance import is_permutation_equivariant

PERM = torch.tensor([1, 2, 0, 3])


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (nn.Linear(3, 5), True),
        (lambda x: (x @ x.mT * 30).softmax(-1) @ x * 1e4, True),
        (lambda x: x - x.mean(1, keepdim=True), True),
        (lambda x: x.cumsum(1), False),
        (lambda x: x + 1e-2 * torch.arange(4.0)[:, None], False),
        (lambda x: x.flip(1), False),
        (lambda x: x * float("nan"), False),
    ],
)
def test_verdicts(f, expected):
    assert is_permutation_equivariant(f, torch.randn(2, 4, 3), PERM) is expected


def test_the_identity_permutation_refutes_nothing():
    assert is_permutation_equivariant(lambda x: x.cumsum(1), torch.randn(2, 4, 3), torch.arange(4))


def test_rounding_does_not_decide():
    x, perm = torch.randn(2, 300, 3) + 5, torch.randperm(300)
    centred = x - x.mean(1, keepdim=True)
    assert not torch.equal(x[:, perm].mean(1), x.mean(1)), "the order of a sum should show in its last digits"
    assert is_permutation_equivariant(lambda y: y - y.mean(1, keepdim=True), x, perm)
    assert not is_permutation_equivariant(lambda y: y + 0.01 * centred, x, perm)


def test_an_empty_batch_refutes_nothing():
    assert is_permutation_equivariant(lambda x: x.cumsum(1), torch.zeros(0, 4, 3), PERM)
