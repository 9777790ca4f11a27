"""A test of equivariance is tried on every map with every permutation."""

import torch

from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.token_maps import TOKEN_MAPS
from course_lib.checks.question import Question
from course_lib.nn.equivariance import is_permutation_equivariant


def test_each_map_is_tried_with_each_permutation():
    arguments = {"f": list(TOKEN_MAPS)[:2], "x": torch.randn(2, 3, 4), "perm": torch.tensor([[1, 0, 2], [2, 0, 1]])}
    seen = OBSERVERS["on token maps"](Question("test", is_permutation_equivariant, arguments, ("answer",)))
    assert len(seen) == 4
    assert seen["test(f, x, [1, 0, 2]) for f = self-attention without positions"] is True
