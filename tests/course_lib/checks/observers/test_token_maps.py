"""The maps on which a test of equivariance is tried, and the ways to look at modules of positions."""

import pytest
import torch
from torch import nn

from course_lib.checks import Finding
from course_lib.checks.observers import OBSERVERS
from course_lib.checks.observers.token_maps import TOKEN_MAPS
from course_lib.checks.properties import PROPERTIES
from course_lib.nn.equivariance import is_permutation_equivariant
from course_lib.nn.positions import LearnedPositions, PositionalEncoding

EQUIVARIANT = 6  # the first ones in the list


@pytest.mark.parametrize("title", TOKEN_MAPS)
def test_maps_are_equivariant_or_not_as_their_place_says(title):
    x = torch.randn(7, 5, 3, dtype=torch.float64).sort(1).values
    cycle = torch.tensor([2, 0, 4, 1, 3])
    assert TOKEN_MAPS[title](x).shape[:2] == x.shape[:2]
    assert is_permutation_equivariant(TOKEN_MAPS[title], x, cycle) == (title in list(TOKEN_MAPS)[:EQUIVARIANT])


def test_each_map_is_tried_with_each_permutation():
    arguments = {"f": list(TOKEN_MAPS)[:2], "x": torch.randn(2, 3, 4), "perm": torch.tensor([[1, 0, 2], [2, 0, 1]])}
    seen = OBSERVERS["on token maps"]("test", is_permutation_equivariant, arguments, ("answer",))
    assert len(seen) == 4
    assert seen["test(f, x, [1, 0, 2]) for f = self-attention without positions"] is True


def test_table_of_positions_is_read_from_the_buffer():
    found = OBSERVERS["table of positions"]("P", PositionalEncoding(4, 6), {}, ())
    assert found["pe"].shape == (1, 6, 4)
    assert found["whether anything in it is trained"] is False
    with pytest.raises(Finding, match="no buffer called pe"):
        OBSERVERS["table of positions"]("P", LearnedPositions(6, 4), {}, ())


def test_gradient_must_reach_the_whole_table():
    class Cut(LearnedPositions):
        def forward(self, x):
            return x + self.table.detach()[: x.shape[1]]

    look, x = OBSERVERS["gradient of the table"], {"x": torch.zeros(2, 6, 4)}
    assert list(look("L", LearnedPositions(6, 4), x, ()).values()) == [True]
    assert list(look("L", Cut(6, 4), x, ()).values()) == [False]
    assert list(look("L", nn.Sequential(Cut(6, 4), LearnedPositions(6, 4)), x, ()).values()) == [False]


@pytest.mark.parametrize(("entry", "words"), [(float("nan"), "infinite"), (1.5, "really a sine")])
def test_what_cannot_be_a_sine_is_said(entry, words):
    table = torch.zeros(2, 3)
    PROPERTIES["sines and cosines"]("encoding", table)
    table[1, 2] = entry
    with pytest.raises(Finding, match=rf"encoding\[1, 2\] is .* between −1 and 1: .*{words}"):
        PROPERTIES["sines and cosines"]("encoding", table)
