"""The decoder-only family (GPT, Llama): one stack under a look-ahead mask that predicts each next token.

GPT: Radford et al., 2018. Llama: Touvron et al., 2023, arXiv:2302.13971.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.models.configs import LanguageModelConfig
from course_lib.models.decoding import evaluating
from course_lib.models.token_stack import TokenStack
from course_lib.nn.masks import create_look_ahead_mask


class DecoderOnly(nn.Module):
    """logits[:, t] = scores of token t + 1, from tokens 0 … t."""

    def __init__(self, config: LanguageModelConfig):
        super().__init__()
        self.config = config
        self.stack = TokenStack(config)
        self.output = nn.Linear(config.d_model, config.vocab)

    def forward(self, tokens: Int[Tensor, "batch n"]) -> Float[Tensor, "batch n vocab"]:
        # Padding ends a text, so the look-ahead mask already hides it from every real token.
        return self.output(self.stack(tokens, create_look_ahead_mask(tokens.shape[1], tokens.device)))


@torch.no_grad()
def generate(
    model: nn.Module,
    prompt: Int[Tensor, "batch n"],
    steps: int,
    temperature: float = 1.0,
    top_k: int | None = None,
) -> Int[Tensor, "batch n_out"]:
    """The prompt and `steps` more tokens, each drawn from softmax(logits / temperature) of the last position.

    With top_k only the k likeliest tokens can be drawn; at temperature 0 the likeliest one always is.
    """
    if temperature < 0:
        raise ValueError(f"the temperature must not be negative, got {temperature}")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k must be at least 1, got {top_k}")
    tokens = prompt
    with evaluating(model):
        for _ in range(steps):
            tokens = torch.cat([tokens, _draw(model(tokens)[:, -1], temperature, top_k)], 1)
    return tokens


def _draw(logits: Float[Tensor, "batch vocab"], temperature: float, top_k: int | None) -> Int[Tensor, "batch 1"]:
    if temperature == 0 or len(logits) == 0:
        return logits.argmax(-1, keepdim=True)
    likeliest, tokens = logits.topk(min(top_k or logits.shape[-1], logits.shape[-1]))
    choice = torch.multinomial((likeliest / temperature).softmax(-1), 1)
    return tokens.gather(-1, choice)
