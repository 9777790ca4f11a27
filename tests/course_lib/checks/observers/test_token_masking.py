"""Masking is judged by statistics: a right answer passes whatever the seed."""

import pytest
import torch

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.question import Question
from course_lib.models.encoder_only import mask_tokens


@pytest.mark.parametrize("p", [0.05, 0.15, 0.5, 0.9])
def test_a_right_share_is_recognised_for_every_seed(p):
    for seed in range(20):
        arguments = {"tokens": torch.randint(4, 20, (8, 10)), "mask_id": 3, "p": p, "generator": seed}
        found = OBSERVERS["fraction masked"](Question("mask_tokens", mask_tokens, arguments, ("inputs", "labels")))
        assert found == {"the fraction of tokens that becomes mask_id": "p"}


def test_labels_of_another_shape_are_explained():
    arguments = {"tokens": torch.randint(4, 20, (8, 10)), "mask_id": 3, "p": 0.5, "generator": 1}
    with pytest.raises(Finding, match=r"labels has shape \(64,\), expected \(64, 60\)"):
        OBSERVERS["labels at masked positions"](
            Question("mask_tokens", lambda t, m, p, g: (t, t[:, 0].clone()), arguments, ("inputs", "labels"))
        )


def test_labels_that_nobody_knows_are_told_by_what_they_hold():
    def with_labels(other):
        def masked(tokens, mask_id, p, generator):
            inputs, labels = mask_tokens(tokens, mask_id, p, generator)
            return inputs, torch.where(labels == -100, other, labels)

        arguments = {"tokens": torch.randint(4, 20, (8, 10)), "mask_id": 3, "p": 0.5, "generator": 1}
        question = Question("mask_tokens", masked, arguments, ("inputs", "labels"))
        return OBSERVERS["labels at masked positions"](question)["what labels hold where inputs has no mask_id,"]

    assert with_labels(torch.tensor(-1)) == "-1"
    assert with_labels(torch.arange(60)).startswith("different")
