"""Properties that an output must have: a failing one is explained."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.properties import PROPERTIES


@pytest.mark.parametrize(("entry", "words"), [(float("nan"), "infinite"), (1.5, "really a sine")])
def test_what_cannot_be_a_sine_is_said(entry, words):
    table = torch.zeros(2, 3)
    PROPERTIES["sines and cosines"]("encoding", table)
    table[1, 2] = entry
    with pytest.raises(Finding, match=rf"encoding\[1, 2\] is .* between −1 and 1: .*{words}"):
        PROPERTIES["sines and cosines"]("encoding", table)


@pytest.mark.parametrize(
    ("weights", "asks"),
    [
        (torch.tensor([[1.0, 3.0], [2.0, 1.0], [0.5, 0.1]]).softmax(0), True),
        (torch.full((4, 3), 0.25), False),  # a constant: its columns sum to 1 by chance
        (torch.rand(4, 3) + 1, False),
    ],
)
def test_a_softmax_over_another_dimension_is_asked_about_only_where_there_is_one(weights, asks):
    with pytest.raises(Finding, match=r"weights\[0\] sums to .*, expected 1") as finding:
        PROPERTIES["rows sum to one"]("weights", weights)
    assert ("is the softmax over the last dimension" in str(finding.value)) == asks
