"""A mask of queries and keys may have leading dimensions of size 1."""

import pytest
import torch

from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question


@pytest.mark.parametrize(
    ("shape", "seen"), [((3, 3), (3, 3)), ((1, 1, 3, 3), (3, 3)), ((1, 1), (1, 1)), ((2, 3, 3),) * 2]
)
def test_leading_ones_are_left_out_and_nothing_else(shape, seen):
    question = Question("mask", lambda n: torch.zeros(shape), {"n": shape[-1]}, ("mask",))
    assert OBSERVERS["mask of queries and keys"](question)["mask"].shape == seen
