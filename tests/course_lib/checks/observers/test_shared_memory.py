"""An argument that is handed back, or a view of it, is seen."""

import pytest
import torch

from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question


@pytest.mark.parametrize(
    ("answer", "handed_back"), [(lambda x: x, True), (lambda x: x[1:], True), (torch.clone, False)]
)
def test_argument_handed_back_is_seen(answer, handed_back):
    seen = OBSERVERS["shared memory"](Question("copy", answer, {"x": torch.ones(3, 2)}, ("output",)))
    assert seen == {"whether output is an argument handed back": handed_back}
