"""Cached attention is observed token by token."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.fake_models import OneHead
from course_lib.checks.question import Question
from course_lib.models.cached_decoding import cached_attention


def test_cached_steps_are_causal_attention():
    arguments = {"attention": torch.randn(16, 4), "x": torch.randn(2, 5, 4)}
    found = OBSERVERS["cached steps"](Question("cached_attention", cached_attention, arguments, ("output", "kept")))
    x = arguments["x"]
    later = torch.ones(5, 5, dtype=torch.bool).triu(1)
    whole, _ = OneHead(arguments["attention"])(x, x, x, later)
    torch.testing.assert_close(found["the output, step by step"], whole)
    assert found["the kept keys"].shape == (2, 1, 5, 4)
    counted = OBSERVERS["tokens projected"](
        Question("cached_attention", cached_attention, arguments, ("output", "kept"))
    )
    assert list(counted.values()) == ["1, 1, 1, 1, 1"]


def test_a_cache_must_be_keys_and_values():
    arguments = {"attention": torch.randn(16, 4), "x": torch.randn(2, 5, 4)}
    with pytest.raises(Finding, match=r"two tensors, \(keys, values\), but it is of type Tensor"):
        OBSERVERS["cached steps"](Question("c", lambda attention, x, kept: (x, x), arguments, ("output", "kept")))
