"""The sizes of a Vision Transformer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ViTConfig:
    """Sizes of a Vision Transformer for square images, cut into patch × patch squares."""

    image_size: int
    patch: int
    in_channels: int
    num_classes: int
    d_model: int
    num_heads: int
    d_ff: int
    num_layers: int
    dropout: float = 0.0
