"""Random sizes and inputs for one criterion, the same for the same seed."""

from typing import Any

import torch
from torch import Tensor

Arguments = list[Any]  # of one call: tensors, sizes, functions, whatever the exercise takes
SIZES = range(3, 11)  # three keys or more: a mask that leaves one open would hide every mistake in the scores


class Draw:
    """A source of inputs; `decimals` rounds them, so that a visible check shows numbers one can read."""

    def __init__(self, seed: int, decimals: int | None = None):
        self.seed = seed
        self._generator = torch.Generator().manual_seed(seed % 2**63)
        self._decimals = decimals

    def sizes(self, count: int) -> list[int]:
        """Distinct sizes, so that a transposition cannot pass by luck."""
        order = torch.randperm(len(SIZES), generator=self._generator)[:count]
        return [SIZES[i] for i in order.tolist()]

    def normal(self, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
        value = torch.randn(*shape, generator=self._generator, dtype=torch.float64)
        if self._decimals is not None:
            value = value.round(decimals=self._decimals)
        return value.to(dtype)

    def uniform(self, low: float, high: float) -> float:
        value = low + (high - low) * torch.rand((), generator=self._generator, dtype=torch.float64).item()
        return value if self._decimals is None else round(value, self._decimals)

    def mask(self, *shape: int) -> Tensor:
        """True where blocked, about one third; every row blocks a key and keeps at least two open."""
        order = torch.rand(*shape, generator=self._generator).argsort(-1)
        blocked = max(1, shape[-1] // 3)
        return order < blocked
