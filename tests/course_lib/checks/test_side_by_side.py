"""Yours, expected and the difference: the worst entry is ringed and its number given."""

import pytest
import torch

from course_lib.checks.side_by_side import show_side_by_side


@pytest.fixture
def pictures(monkeypatch):
    shown = []
    monkeypatch.setattr("course_lib.checks.side_by_side.notebook_display", lambda: shown.append)
    return shown


def test_the_worst_entry_is_named(pictures):
    expected = torch.arange(6.0).reshape(2, 3)
    got = expected.clone()
    got[1, 2] -= 0.5
    got[0, 0] += 0.1
    show_side_by_side("weights", got, expected)
    assert pictures[0].alt == "weights: yours, expected, and the difference; at worst, weights[1, 2] is 0.5 too low."
    assert [ax.get_title() for ax in pictures[0].axes[:3]] == ["your weights", "expected", "difference"]
    rings = [patch.center for ax in pictures[0].axes[:3] for patch in ax.patches]
    assert rings == [(2, 1), (2, 1)]


def test_of_a_batch_the_matrix_that_differs_most_is_shown(pictures):
    expected = torch.zeros(2, 3, 4, 4)
    got = expected.clone()
    got[1, 2, 0, 3] = 1.0
    show_side_by_side("output", got, expected)
    assert "output[1, 2][0, 3] is 1 too high" in pictures[0].alt


def test_booleans_are_compared_too(pictures):
    show_side_by_side("mask", torch.ones(2, 2).bool(), torch.eye(2).bool())
    assert "mask[0, 1] is 1 too high" in pictures[0].alt


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (torch.zeros(2), torch.ones(2)),
        (torch.zeros(2, 3), torch.ones(3, 2)),
        (torch.zeros(0, 2), torch.zeros(0, 2)),
        (torch.full((2, 2), torch.nan), torch.ones(2, 2)),
        (torch.zeros(13, 2), torch.ones(13, 2)),
        (torch.zeros(2, 2, dtype=torch.int64), torch.ones(2, 2, dtype=torch.int64)),
        (None, torch.ones(2, 2)),
    ],
)
def test_what_is_no_small_matrix_is_not_drawn(pictures, got, expected):
    show_side_by_side("output", got, expected)
    assert pictures == []
