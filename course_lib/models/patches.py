"""Patches: an image cut into squares, row by row, each flattened into a token."""

from typing import Protocol, runtime_checkable

from jaxtyping import Float
from torch import Tensor, nn


def patchify(images: Float[Tensor, "batch c height width"], patch: int) -> Float[Tensor, "batch n c*{patch}*{patch}"]:
    """Cut the images into patch × patch squares, row by row, each flattened as (c, patch, patch)."""
    batch, c, height, width = images.shape
    rows, columns = grid_of(height, width, patch)
    squares = images.reshape(batch, c, rows, patch, columns, patch)
    return squares.permute(0, 2, 4, 1, 3, 5).reshape(batch, rows * columns, c * patch * patch)


def unpatchify(
    patches: Float[Tensor, "batch n size"], patch: int, height: int, width: int
) -> Float[Tensor, "batch c {height} {width}"]:
    """The images that the patches were cut from."""
    batch, n, size = patches.shape
    rows, columns = grid_of(height, width, patch)
    if n != rows * columns or size % (patch * patch):
        raise ValueError(
            f"a {height} × {width} image has {rows * columns} patches of c · {patch * patch} numbers, "
            f"got {n} patches of {size}"
        )
    c = size // (patch * patch)
    squares = patches.reshape(batch, rows, columns, c, patch, patch)
    return squares.permute(0, 3, 1, 4, 2, 5).reshape(batch, c, height, width)


class PatchEmbedding(nn.Module):
    """proj(patchify(images)): one linear map, the same for every patch."""

    def __init__(self, patch: int, in_channels: int, d_model: int):
        super().__init__()
        self.patch = patch
        self.proj = nn.Linear(in_channels * patch * patch, d_model)

    def forward(self, images: Float[Tensor, "batch c height width"]) -> Float[Tensor, "batch n d_model"]:
        return self.proj(patchify(images, self.patch))


@runtime_checkable
class LinearOfPatches(Protocol):
    """A PatchEmbedding, or any other module with its parts."""

    patch: int
    proj: nn.Linear


def to_convolution(embedding: LinearOfPatches) -> nn.Conv2d:
    """The convolution that computes what a PatchEmbedding does: kernel and stride are the patch."""
    weight, patch = embedding.proj.weight, embedding.patch
    d_model, c = len(weight), weight.shape[1] // patch**2
    conv = nn.Conv2d(c, d_model, patch, stride=patch, device=weight.device, dtype=weight.dtype)
    conv.load_state_dict({"weight": weight.reshape(d_model, c, patch, patch), "bias": embedding.proj.bias})
    return conv


def grid_of(height: int, width: int, patch: int) -> tuple[int, int]:
    """How many rows and columns of patches an image has."""
    if height % patch or width % patch:
        raise ValueError(f"a {height} × {width} image cannot be cut into {patch} × {patch} patches: sizes must divide")
    return height // patch, width // patch
