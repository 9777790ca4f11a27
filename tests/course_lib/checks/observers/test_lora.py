"""What LoRA adds, and what it merges into, whatever its form."""

import pytest
import torch

from autograder.exams.unit_07 import adapter_mistakes as adapters
from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.lora import WHOLE
from course_lib.checks.question import Question

ARGUMENTS = {"base": torch.randn(5, 8, generator=torch.Generator().manual_seed(0)), "rank": 4}


def _observe(name, answer):
    return OBSERVERS[name](Question("LoRALinear", answer, ARGUMENTS, ("output",)))


@pytest.mark.parametrize(
    ("answer", "factor"),
    [
        (adapters.Adapter, "1"),
        (adapters.OfLinear, "1"),
        (adapters.scaled(1), "0.25"),
        (adapters.scaled(16), "4"),
        (adapters.WithoutCorrection, "0"),
        (adapters.WithoutBase, "none that fits"),
    ],
)
def test_the_factor_of_the_correction(answer, factor):
    assert _observe("adapter corrected", answer)["the factor of x Aᵀ Bᵀ, added to the base,"] == factor


@pytest.mark.parametrize("answer", [adapters.OfLinear, adapters.OfLinearShared, adapters.scaled(16)])
def test_merging_is_compared_with_the_layer_itself(answer):
    assert list(_observe("adapter merged", answer).values()) == [WHOLE, True, True, True, False, True]


def test_what_a_merged_layer_is_made_of_is_said():
    weights = {
        adapters.MergesNothing: "that of the base alone",
        adapters.MergesCorrectionAlone: "B A alone, without that of the base",
    }
    for answer, weight in weights.items():
        assert _observe("adapter merged", answer)["the weight of merge()"] == weight


@pytest.mark.parametrize(("answer", "trained"), [(adapters.OfLinear, False), (adapters.BiasTrained, True)])
def test_the_base_is_trained_only_if_a_step_would_change_it(answer, trained):
    assert _observe("adapter parameters", answer)["whether the base is trained"] is trained


def test_an_output_that_differs_from_call_to_call_is_said():
    with pytest.raises(Finding, match="another output for the same input"):
        _observe("adapter corrected", adapters.WithDropout)
