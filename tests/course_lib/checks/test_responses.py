"""Responses: what an answer does when its arguments change, beside what the reference does."""

import itertools

import pytest
import torch

from course_lib.checks.question import Question
from course_lib.checks.responses import MOST_CALLS, different_response, outcomes

X = torch.randn(2, 4, 3, generator=torch.Generator().manual_seed(0))


def centred(x):
    return x - x.mean(-1, keepdim=True)


def attention(x):
    return (x @ x.mT).softmax(-1) @ x


def causal(x):
    return (x @ x.mT).masked_fill(torch.ones(4, 4).triu(1).bool(), -torch.inf).softmax(-1) @ x


def said(answer, reference, outputs=("y",), **arguments):
    arguments = arguments or {"x": X}
    expected = outcomes(Question("reference", reference, arguments, outputs))
    return [mistake.says for mistake in different_response(Question("answer", answer, arguments, outputs), expected)]


@pytest.mark.parametrize(
    ("answer", "reference", "sentence"),
    [
        (lambda x: x, centred, "Here, adding 1 to every entry of x does not change the expected y, but raises every"),
        (torch.sin, centred, "Here, adding 1 to every entry of x does not change the expected y, but changes yours."),
        (centred, lambda x: x, "Here, adding 1 to every entry of x raises every entry of the expected y by 1, but"),
        (attention, causal, "Here, changing the last row of x does not change the first row of the expected y, but"),
        (
            causal,
            attention,
            "Here, changing the last row of x changes the first row of the expected y, but not that of",
        ),
        (lambda x: x, lambda x: x**2, "Here, adding 1 to every entry of x raises every entry of your y by 1, but not"),
        (lambda x: x.relu(), lambda x: x**3, "Here, doubling every entry of x doubles your y, but not the expected y."),
        (lambda x: x**2, lambda x: x.abs(), "Here, doubling every entry of x doubles the expected y, but makes yours"),
        (
            lambda x: x.abs() * x.sign().sin(),
            torch.abs,
            "Here, changing the sign of x does not change the expected y, but",
        ),
        (lambda x: x + x[:1], lambda x: x + x.sum(0), "Here, exchanging the first two entries of x along dim=0"),
        (lambda x: X.cos(), lambda x: x, "Here, replacing the numbers in x by others changes the expected y, but not"),
        (lambda x: x.sin(), lambda x: X.cos(), "Here, replacing the numbers in x by others does not change the"),
    ],
)
def test_the_first_response_that_differs_is_said(answer, reference, sentence):
    (says,) = said(answer, reference)
    assert says.startswith(sentence)


@pytest.mark.parametrize("function", [centred, attention, causal, torch.sin])
def test_a_right_answer_responds_as_the_reference_does(function):
    assert said(lambda x: function(x.double()).float(), function) == []


def test_rounding_decides_nothing():
    assert said(lambda x: centred(x) + 1e-5 * x, centred) == []  # changes, but by less than may be called a change
    assert said(lambda x: 1e-3 * x, lambda x: X.cos()) == []


def test_chance_decides_nothing():
    """In a product of rows, a ReLU may hide a change of one row, but not the opposite change too."""
    x = torch.tensor([[1.0, 2.0], [-3.0, -1.0], [-2.0, 5.0], [0.5, -4.0]])
    assert not any("row" in says for says in said(lambda x: (x @ x.mT).relu(), lambda x: x @ x.mT, x=x))


def test_what_draws_random_numbers_is_told_nothing_else():
    counter = itertools.count()
    for noisy in (lambda x: x + torch.rand(x.shape), lambda x: x + next(counter)):
        (says,) = said(noisy, centred)
        assert says.startswith("Two calls with the same arguments give different outputs")
    assert said(lambda x: x, lambda x: x + torch.rand(x.shape)) == []


def test_an_answer_that_raises_on_other_arguments_says_nothing():
    def only(x):
        if not torch.equal(x, X):
            raise ValueError("other numbers")
        return x

    assert said(only, centred) == []
    assert said(centred, only) == []


def test_of_two_outputs_the_one_that_responds_otherwise_is_named():
    arguments = {"x": X, "v": X.flip(-1)}
    (says,) = said(lambda x, v: (x, v * x), lambda x, v: (x, v), outputs=("a", "b"), **arguments)
    assert says == "Here, replacing the numbers in x by others does not change the expected b, but changes yours."


def test_an_answer_is_called_a_limited_number_of_times():
    calls = []
    arguments = {f"x{i}": X for i in range(20)}
    said(lambda *xs: calls.append(1) or sum(xs).sin(), lambda *xs: sum(xs).sin(), **arguments)
    assert 2 < len(calls) <= MOST_CALLS


def test_arguments_that_may_change_by_themselves_are_not_tried():
    assert outcomes(Question("answer", lambda x, f: f(x), {"x": X, "f": torch.sin}, ["y"])) == []
