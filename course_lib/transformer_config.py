"""The sizes of an encoder–decoder Transformer, and the two choices it leaves open."""

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
