"""The 8 × 8 handwritten digits that come with scikit-learn, as images for a Vision Transformer."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from sklearn.datasets import load_digits
from torch import Tensor

TEST = 397  # of 1797, which leaves 1400 to train on


@dataclass(frozen=True)
class Images:
    """Gray images from 0 to 1 and the digits they show."""

    images: Float[Tensor, "batch 1 8 8"]
    labels: Int[Tensor, "batch"]

    def first(self, count: int) -> "Images":
        return Images(self.images[:count], self.labels[:count])


def load_images(seed: int = 0) -> tuple[Images, Images]:
    """(training, test), shuffled by the seed."""
    data = load_digits()
    order = torch.randperm(len(data.target), generator=torch.Generator().manual_seed(seed))
    images = torch.tensor(data.images, dtype=torch.get_default_dtype())[order].unsqueeze(1) / 16
    labels = torch.tensor(data.target)[order]
    return Images(images[TEST:], labels[TEST:]), Images(images[:TEST], labels[:TEST])


def image_batches(data: Images, steps: int, batch: int, seed: int) -> Iterator[Images]:
    """Random images, a batch for each step."""
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        chosen = torch.randint(len(data.labels), (batch,), generator=generator)
        yield Images(data.images[chosen], data.labels[chosen])
