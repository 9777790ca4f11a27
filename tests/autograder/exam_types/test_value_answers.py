"""Answers that are values: what is read, what a verdict says of them, and what each slip costs."""

import pytest
import torch

from autograder.exams import EXAMS
from course_lib.checks.check import CheckFailed, require_pass

SHEET = {"W": "d d_k", "P": "B n d_k", "G": "B n n", "S": "B n m", "R": "B n d"}


def _said(exercise: str, answer: object) -> list[str]:
    return [mistake.says for c in EXAMS[exercise].grade(answer, 1).criteria for mistake in c.mistakes]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("original_transformer", "B, C and E"),
        ("matmul_shapes", {name: " x ".join(entry.split()) for name, entry in SHEET.items()}),
        ("mixes_tokens", (torch.ones(3, 2), -1, 0)),
    ],
)
def test_other_notations_are_read(exercise, answer):
    verdict = EXAMS[exercise].grade(answer, 1)
    assert verdict.score == verdict.points


def test_the_same_token_counted_from_the_end_is_the_same_token():
    assert "Both indices are the same token." in _said("mixes_tokens", (torch.ones(2, 2), 1, -1))[0]


def test_a_broken_rule_of_a_sheet_is_said():
    assert _said("matmul_shapes", SHEET | {"R": "B n d_k"}) == [
        "S @ Y gives (B, n, d), but your sheet says (B, n, d_k)."
    ]


def test_an_entry_that_cannot_be_read_costs_itself_alone():
    sheet = dict(EXAMS["cross_attention_shapes"].reference)
    assert EXAMS["cross_attention_shapes"].grade(sheet | {"Z": 5}, 1).score == pytest.approx(6 - 2 / 3, abs=0.01)


def test_a_known_mistake_must_fit_every_number():
    raw = {"raw 4": 4.1, "raw 64": 63.0, "raw 256": 257.0}
    scaled_like_raw = raw | {name.replace("raw", "scaled"): number for name, number in raw.items()}
    assert _said("measured_variance", scaled_like_raw) == [
        "Your scaled numbers are the raw ones. Divide the scores by √d_k before you take the variance."
    ]


def test_numbers_in_each_others_places_are_named():
    measured = {"raw 4": 257.0, "raw 64": 63.0, "raw 256": 4.1, "scaled 4": 1.01, "scaled 64": 1.0, "scaled 256": 0.99}
    assert _said("measured_variance", measured) == ["raw 4 and raw 256 have changed places."]


def test_the_check_of_an_exercise_finds_a_stray_squeeze():
    def squeezed(a, b):
        return (a[:, :, None] * b[:, None, :]).squeeze()

    with pytest.raises(CheckFailed, match="lacks a dimension of size 1"):
        require_pass("batched_outer", squeezed)
