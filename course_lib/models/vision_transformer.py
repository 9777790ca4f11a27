"""The Vision Transformer: patches as words, and one class token that gathers what the picture shows.

Dosovitskiy et al., 2021, arXiv:2010.11929.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.models.configs import ViTConfig
from course_lib.models.patches import PatchEmbedding, grid_of
from course_lib.nn.blocks import EncoderBlock
from course_lib.nn.norm import LayerNorm


class VisionTransformer(nn.Module):
    """head(norm(blocks([class token; patches] + positions))[class token]), with pre-norm blocks."""

    def __init__(self, config: ViTConfig):
        super().__init__()
        self.config = config
        rows, columns = grid_of(config.image_size, config.image_size, config.patch)
        self.embedding = PatchEmbedding(config.patch, config.in_channels, config.d_model)
        self.class_token = nn.Parameter(torch.randn(1, 1, config.d_model) * 0.02)
        self.positions = nn.Parameter(torch.randn(1, 1 + rows * columns, config.d_model) * 0.02)
        self.drop = nn.Dropout(p=config.dropout)
        self.blocks = nn.ModuleList(
            EncoderBlock(config.d_model, config.num_heads, config.d_ff, config.dropout, norm_first=True)
            for _ in range(config.num_layers)
        )
        self.norm = LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.num_classes)

    def forward(self, images: Float[Tensor, "batch c height width"]) -> Float[Tensor, "batch num_classes"]:
        c, size = self.config.in_channels, self.config.image_size
        if images.shape[1:] != (c, size, size):
            raise ValueError(f"expected images of shape (batch, {c}, {size}, {size}), got {tuple(images.shape)}")
        patches = self.embedding(images)
        x = torch.cat([self.class_token.expand(len(images), -1, -1), patches], 1) + self.positions
        x = self.drop(x)
        for layer in self.blocks:
            x = layer(x)
        return self.head(self.norm(x)[:, 0])


def interpolate_positions(
    pos: Float[Tensor, "1 n_old d"], old_grid: tuple[int, int], new_grid: tuple[int, int]
) -> Float[Tensor, "1 n_new d"]:
    """Positions on another (height, width) grid of patches, bicubic; the class token's is kept."""
    height, width = old_grid
    if pos.shape[1] != 1 + height * width:
        raise ValueError(
            f"expected 1 + {height} × {width} = {1 + height * width} positions, the class token's first, "
            f"got {pos.shape[1]}"
        )
    grid = pos[:, 1:].transpose(1, 2).unflatten(-1, old_grid)  # (1, d, height, width)
    grid = F.interpolate(grid, size=new_grid, mode="bicubic", align_corners=False)
    return torch.cat([pos[:, :1], grid.flatten(2).transpose(1, 2)], 1)
