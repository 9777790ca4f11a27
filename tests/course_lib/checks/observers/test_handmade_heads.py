"""Heads made by hand are judged by their weights: with a row of zeros or without, and never by slices of x."""

import pytest
import torch
import torch.nn.functional as F

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question

X = torch.randn(2, 4, 3)


def observed(name, answer, **more):
    outputs = ("head 0", "head 1", "head 2") if "convolution" in name else ("q", "k", "v")
    return OBSERVERS[name](Question("head", answer, {"x": X, **more}, outputs))


def sharp(rows, x, front=0, behind=0):
    places = torch.eye(9)
    keys = places[1 - front : 1 + x.shape[1] + behind]
    return 1e4 * places[rows], keys, F.pad(x, (0, 0, front, behind))


def test_weights_of_the_shift_are_the_same_with_and_without_a_row_in_front():
    wanted = torch.diag(torch.ones(3), -1).expand(2, 4, 4)
    with_row = observed("weights of the shift", lambda x: sharp([0, 1, 2, 3], x, front=1))
    without = observed("weights of the shift", lambda x: sharp([1, 1, 2, 3], x))
    assert torch.equal(with_row["weights"], wanted)
    assert torch.equal(without["weights"], wanted)


def test_the_first_output_tells_whether_there_is_a_row_of_zeros():
    def first(answer):
        return observed("output of the head", answer)["the output"][:, 0]

    assert not first(lambda x: sharp([0, 1, 2, 3], x, front=1)).any()
    assert torch.allclose(first(lambda x: sharp([1, 1, 2, 3], x)), X[:, 0])


@pytest.mark.parametrize("both", [0, 1])
def test_each_head_of_a_convolution_may_have_its_own_rows(both):
    """A row behind only for the offset 1, in front only for −1, or both for all."""
    kernel = torch.randn(5, 3, 3)

    def own_rows(x, kernel):
        return [
            sharp([0, 1, 2, 3], x, front=1),
            sharp([1, 2, 3, 4], x, front=both, behind=both),
            sharp([2, 3, 4, 5], x, behind=1),
        ]

    weights = observed("weights of the convolution", own_rows, kernel=kernel)
    for offset, found in zip((-1, 0, 1), weights.values(), strict=True):
        assert torch.equal(found, torch.diag(torch.ones(4 - abs(offset)), offset).expand(2, 4, 4))


def test_weights_that_are_nearly_sharp_are_sharp_and_soft_ones_stay():
    def at(beta):
        return lambda x: (beta * torch.eye(4), torch.eye(4), x)

    assert torch.equal(observed("weights of the identity", at(20.0))["weights"], torch.eye(4).expand(2, 4, 4))
    assert observed("weights of the identity", at(10.0))["weights"][0, 0, 1] > 0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda x: x.clone(), "returned one Tensor, expected 3 values: (q, k, v)"),
        (lambda x: (x[:, :2], x, x), "there are 2 queries and 4 keys, expected 4 queries"),
        (lambda x: sharp([1, 2, 3, 4], x, front=1), "5 keys, expected 4 queries, one for each token, and 4 keys"),
        (lambda x: (x, x[..., :2], x), "a query has 3 features and a key 2"),
        (lambda x: (x, x, [x]), "v should be a tensor"),
    ],
)
def test_what_is_no_head_of_that_kind_is_said(answer, words):
    with pytest.raises(Finding) as finding:
        observed("weights of the identity", answer)
    assert words in str(finding.value)


def test_gradients_of_the_convolution_are_those_of_the_sum():
    kernel = torch.randn(5, 3, 3)

    def detached(x, kernel):
        values = F.pad(x, (0, 0, 1, 1))
        rows = [sharp([o, o + 1, o + 2, o + 3], x, 1, 1) for o in range(3)]
        return [(q, k, values @ kernel[:, :, o].detach().T) for o, (q, k, _) in enumerate(rows)]

    found = observed("gradients of the convolution", detached, kernel=kernel)
    assert list(found.values()) == [True, False]
