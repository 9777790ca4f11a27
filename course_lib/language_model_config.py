"""The sizes of an encoder-only or decoder-only model, and the choices it leaves open."""

from dataclasses import dataclass


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
