"""Parameters that are too many, missing or of another shape, described from the finding that lists them."""

import pytest
from torch import nn

from course_lib.checks.answer_forms.weight_transfer import hand_over, weights_of
from course_lib.checks.finding import Finding
from course_lib.checks.relations.parameters import of_parameters


def described(own, wanted):
    with pytest.raises(Finding) as found:
        hand_over("Part", own, weights_of(wanted, ()))
    return [mistake.says for mistake in of_parameters(found.value.observed)]


def test_missing_biases():
    assert described(nn.Linear(3, 5, bias=False), nn.Linear(3, 5)) == [
        "Biases are missing, (5,): nn.Linear has one unless bias=False is given."
    ]


def test_a_layer_too_many():
    own = nn.Sequential(nn.Linear(3, 5), nn.LayerNorm(7))
    assert described(own, nn.Linear(3, 5)) == [
        "The exercise has no place for 1.weight and 1.bias: take out what is too many."
    ]


def test_no_parameters_at_all():
    (says,) = described(nn.ReLU(), nn.Linear(3, 5))
    assert "has no parameters of its own" in says
