"""A few English and French words as vectors: each coordinate is one bit of meaning that both languages share."""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

FEATURES = ("article", "small", "cat", "dog", "sleep", "be", "stop")
MEANINGS: dict[str, dict[str, float]] = {
    "the": {"article": 1},
    "le": {"article": 1},
    "small": {"small": 1},
    "petit": {"small": 1},
    "cat": {"cat": 1},
    "chat": {"cat": 1},
    "dog": {"dog": 1},
    "chien": {"dog": 1},
    "is": {"be": 1, "sleep": 0.3},
    "asleep": {"sleep": 1},
    "dort": {"sleep": 1, "be": 0.5},
    ".": {"stop": 1},
}


def embed(words: Sequence[str]) -> Float[Tensor, "n d"]:
    """One row of features for each word."""
    if unknown := [word for word in words if word not in MEANINGS]:
        raise ValueError(f"no meaning is known for {unknown[0]!r}; the words are {', '.join(MEANINGS)}")
    return torch.tensor([[MEANINGS[word].get(name, 0.0) for name in FEATURES] for word in words])
