"""Cached attention is observed token by token."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.cached_attention import _attention
from course_lib.checks.question import Question
from course_lib.models.cached_decoding import cached_attention


def test_cached_steps_are_causal_attention():
    arguments = {"attention": torch.randn(16, 4), "x": torch.randn(2, 5, 4)}
    found = OBSERVERS["cached steps"](Question("cached_attention", cached_attention, arguments, ("output", "kept")))
    x = arguments["x"]
    later = torch.ones(5, 5, dtype=torch.bool).triu(1)
    whole, _ = _attention(arguments["attention"])(x, x, x, later)
    torch.testing.assert_close(found["the output, step by step"], whole)
    assert found["the kept keys"].shape == (2, 2, 5, 2)
    counted = OBSERVERS["tokens projected"](
        Question("cached_attention", cached_attention, arguments, ("output", "kept"))
    )
    assert list(counted.values()) == ["1, 1, 1, 1, 1"]


def test_what_is_kept_in_the_attention_shows_in_a_second_sequence():
    arguments = {"attention": torch.randn(16, 4), "x": torch.randn(2, 5, 4)}

    def keeps(attention, x, kept=None):
        output, attention.kept = cached_attention(attention, x, getattr(attention, "kept", None))
        return output, attention.kept

    right, found = (
        OBSERVERS["cached steps"](Question("cached_attention", answer, arguments, ("output", "kept")))
        for answer in (cached_attention, keeps)
    )
    torch.testing.assert_close(found["the output, step by step"], right["the output, step by step"])
    second = "the output for a second sequence"
    assert not torch.allclose(found[second], right[second], atol=1e-4)


def test_a_cache_must_be_keys_and_values():
    arguments = {"attention": torch.randn(16, 4), "x": torch.randn(2, 5, 4)}
    with pytest.raises(Finding, match=r"two tensors, \(keys, values\), but it is of type Tensor"):
        OBSERVERS["cached steps"](Question("c", lambda attention, x, kept: (x, x), arguments, ("output", "kept")))
