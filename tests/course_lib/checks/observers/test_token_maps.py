"""The maps on which a test of equivariance is tried: which are equivariant."""

import pytest
import torch

from course_lib.checks.observers.token_maps import TOKEN_MAPS
from course_lib.nn.equivariance import is_permutation_equivariant

EQUIVARIANT = 6  # the first ones in the list


@pytest.mark.parametrize("title", TOKEN_MAPS)
def test_maps_are_equivariant_or_not_as_their_place_says(title):
    x = torch.randn(7, 5, 3, dtype=torch.float64).sort(1).values
    cycle = torch.tensor([2, 0, 4, 1, 3])
    assert TOKEN_MAPS[title](x).shape[:2] == x.shape[:2]
    assert is_permutation_equivariant(TOKEN_MAPS[title], x, cycle) == (title in list(TOKEN_MAPS)[:EQUIVARIANT])
