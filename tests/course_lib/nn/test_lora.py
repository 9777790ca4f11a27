"""LoRA: equal at the start, few trained numbers, and mergeable into one layer."""

import pytest
import torch
from torch import nn

from course_lib.nn.lora import LoRALinear


@pytest.mark.parametrize("bias", [True, False])
def test_from_start_to_merge(bias):
    base, x = nn.Linear(7, 5, bias=bias), torch.randn(3, 7)
    before = base(x)
    layer = LoRALinear(base, rank=2)
    assert torch.equal(layer(x), before)
    assert sum(p.numel() for p in layer.parameters() if p.requires_grad) == 2 * (7 + 5)

    optimizer = torch.optim.SGD([p for p in layer.parameters() if p.requires_grad], lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        (layer(x) - 1).square().sum().backward()
        optimizer.step()
    assert base.weight.grad is None
    assert torch.equal(base(x), before)
    assert not torch.allclose(layer(x), before)

    merged = layer.merge()
    assert type(merged) is nn.Linear
    torch.testing.assert_close(merged(x), layer(x))
    assert torch.linalg.matrix_rank(merged.weight - base.weight) == 2
    assert torch.equal(base(x), before), "merging makes a new layer"


@pytest.mark.parametrize("rank", [0, 6])
def test_ranks_that_make_no_sense_are_refused(rank):
    with pytest.raises(ValueError, match=f"between 1 and 5, got {rank}"):
        LoRALinear(nn.Linear(7, 5), rank)


def test_the_correction_has_the_dtype_of_the_base():
    assert LoRALinear(nn.Linear(4, 4, dtype=torch.float64), 1)(torch.zeros(2, 4).double()).dtype == torch.float64
