"""How a tensor that differs is described: what is not finite, then classes and ids, then numbers."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.compare import compare


def said(got, want, name="output"):
    with pytest.raises(Finding) as finding:
        compare(name, got, want)
    return str(finding.value)


def test_numbers_are_too_high_or_too_low():
    want = torch.arange(6.0).reshape(2, 3) / 7
    got = want.clone()
    got[0, 2] += 0.25
    assert said(got, want) == "output[0, 2] is 0.5357, 0.25 too high: 1 of 6 entries differs"
    got[1, 0] -= 0.5
    assert said(got, want).endswith("0.25 too high: 2 of 6 entries differ, by up to 0.5")
    assert said(want - 1, want) == "output[0, 0] is -1, 1 too low: all 6 entries differ, by up to 1"
    assert said(torch.tensor(3.977), torch.tensor(1.877), "loss") == "loss is 3.977, 2.1 too high"


@pytest.mark.parametrize("dtype", [torch.int64, torch.float64])
def test_ids_are_equal_or_not(dtype):
    """Observers turn ids into floats; they are ids all the same."""
    want, got = torch.tensor([[1, 9, 4]], dtype=dtype), torch.tensor([[1, 1, 3]], dtype=dtype)
    assert said(got, want, "tokens") == "tokens[0, 1] is 1, expected 9: 2 of 3 entries differ"


def test_booleans_are_equal_or_not():
    want = torch.tensor([True, False])
    assert said(~want, want, "mask") == "mask[0] is False, expected True: all 2 entries differ"


def test_what_is_not_finite_comes_first():
    want = torch.tensor([0.1, 0.2, 0.3])
    assert said(torch.tensor([9.0, float("nan"), 0.3]), want) == (
        "output[1] is nan, expected a finite number: 1 of 3 entries is nan or infinite"
    )
    assert said(torch.tensor(float("inf")), torch.tensor(0.5)) == "output is inf, expected a finite number"


def test_infinity_that_is_expected_has_no_distance():
    want = torch.tensor([0.1, float("-inf")])
    assert said(torch.tensor([0.1, 0.2]), want) == "output[1] is 0.2, expected -inf: 1 of 2 entries differs"
    assert said(torch.tensor([0.4, 0.2]), want).endswith("0.3 too high: all 2 entries differ, by up to 0.3")


@pytest.mark.parametrize(
    ("got", "want", "sentence"),
    [
        (torch.float32, torch.bool, "mask has dtype float32, expected bool: compare (>, ==, …) or call .bool()"),
        (torch.float32, torch.int64, "mask has dtype float32, expected int64: call .long()"),
        (torch.float64, torch.float32, "mask has dtype float64, expected float32: call .float()"),
        (torch.float64, torch.float16, "mask has dtype float64, expected float16"),
    ],
)
def test_another_dtype_says_nothing_of_the_inputs(got, want, sentence):
    assert said(torch.ones(2, dtype=got), torch.ones(2, dtype=want), "mask") == sentence


def test_a_large_value_in_place_of_a_word_is_not_printed():
    assert said(torch.ones(40, 40), True, "the answer") == "the answer is a tensor of shape (40, 40), expected True"


def test_equal_up_to_rounding_says_nothing():
    want = torch.rand(3, 4)
    compare("output", want + 1e-6, want)
    compare("output", torch.zeros(0, 3), torch.zeros(0, 3))
