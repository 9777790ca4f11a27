"""The sizes of each architecture, and the choices that it leaves open."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TransformerConfig:
    """Sizes of a Transformer: num_layers blocks in each stack, sequences of at most max_len tokens."""

    src_vocab: int
    tgt_vocab: int
    d_model: int
    num_heads: int
    d_ff: int
    num_layers: int
    max_len: int
    dropout: float = 0.0
    pad_id: int = 0
    norm_first: bool = False


@dataclass(frozen=True)
class LanguageModelConfig:
    """Sizes of an encoder-only or decoder-only model; pad_id is None where texts have no padding."""

    vocab: int
    d_model: int
    num_heads: int
    d_ff: int
    num_layers: int
    max_len: int
    dropout: float = 0.0
    pad_id: int | None = None
    norm_first: bool = True


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
