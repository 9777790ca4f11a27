"""The encoder-only family (BERT): each token sees every other, hidden ones are guessed from both sides.

Devlin et al., 2019, arXiv:1810.04805.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.models.configs import LanguageModelConfig
from course_lib.models.token_stack import TokenStack
from course_lib.nn.masks import create_padding_mask

NOT_CHOSEN = -100  # F.cross_entropy leaves this label out


class EncoderOnly(nn.Module):
    """logits[:, t] = scores of the token that belongs at t, from all tokens that are not padding."""

    def __init__(self, config: LanguageModelConfig):
        super().__init__()
        self.config = config
        self.stack = TokenStack(config)
        self.output = nn.Linear(config.d_model, config.vocab)

    def forward(self, tokens: Int[Tensor, "batch n"]) -> Float[Tensor, "batch n vocab"]:
        pad_id = self.config.pad_id
        return self.output(self.stack(tokens, None if pad_id is None else create_padding_mask(tokens, pad_id)))


def mask_tokens(
    tokens: Int[Tensor, "batch n"], mask_id: int, p: float, generator: torch.Generator | None = None
) -> tuple[Int[Tensor, "batch n"], Int[Tensor, "batch n"]]:
    """(inputs, labels): each token becomes mask_id with probability p, and only then keeps its label."""
    if not 0 <= p <= 1:
        raise ValueError(f"p must be a probability, from 0 to 1, got {p}")
    device = generator.device if generator else tokens.device
    chosen = (torch.rand(tokens.shape, generator=generator, device=device) < p).to(tokens.device)
    return tokens.masked_fill(chosen, mask_id), tokens.masked_fill(~chosen, NOT_CHOSEN)
