"""Any change of an argument in place is seen, whatever it is."""

import pytest
import torch

from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (lambda x, mask: x + 1, [False, False]),
        (lambda x, mask: x.add_(1), [True, False]),
        (lambda x, mask: x.masked_fill(mask.logical_not_(), 0.0), [False, True]),
    ],
)
def test_each_tensor_is_looked_at(answer, expected):
    arguments = {"x": torch.ones(2), "mask": torch.tensor([True, False])}
    observed = OBSERVERS["untouched arguments"](Question("f", answer, arguments, ("output",)))
    assert list(observed.values()) == expected
