"""Token ids must be integers."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question


def test_floats_are_no_tokens():
    arguments = {"tokens": torch.randint(4, 20, (2, 3)), "mask_id": 3, "p": 1.0}
    with pytest.raises(Finding, match="inputs has dtype float32, expected int64"):
        OBSERVERS["token ids"](Question("m", lambda t, m, p: (t.float(), t), arguments, ("inputs", "labels")))


def test_tokens_that_are_left_to_chance_are_said():
    arguments = {"tokens": torch.randint(4, 20, (2, 3)), "mask_id": 3, "p": 1.0}
    with pytest.raises(Finding, match="inputs differs from call to call, expected the same tokens"):
        OBSERVERS["token ids"](
            Question("m", lambda t, m, p: (torch.randint_like(t, 99), t), arguments, ("inputs", "labels"))
        )
