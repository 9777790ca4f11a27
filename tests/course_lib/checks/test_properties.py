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
