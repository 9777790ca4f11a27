"""What encoder-only and decoder-only models share: embedded tokens with learned positions, through blocks."""

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.models.configs import LanguageModelConfig
from course_lib.nn.blocks import EncoderBlock
from course_lib.nn.norm import LayerNorm
from course_lib.nn.positions import LearnedPositions


class TokenStack(nn.Module):
    """norm(blocks(embedding + positions)): the mask decides who may look at whom."""

    def __init__(self, config: LanguageModelConfig):
        super().__init__()
        self.embedding = nn.Embedding(config.vocab, config.d_model)
        nn.init.normal_(self.embedding.weight, std=0.1)  # of the positions' order, so that neither drowns the other
        self.positions = LearnedPositions(config.max_len, config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        self.blocks = nn.ModuleList(
            EncoderBlock(config.d_model, config.num_heads, config.d_ff, config.dropout, config.norm_first)
            for _ in range(config.num_layers)
        )
        # With norm_first the last sum is not normalized by any block.
        self.norm = LayerNorm(config.d_model) if config.norm_first else nn.Identity()

    def forward(
        self, tokens: Int[Tensor, "batch n"], mask: Bool[Tensor, "..."] | None = None
    ) -> Float[Tensor, "batch n d_model"]:
        x = self.dropout(self.positions(self.embedding(tokens)))
        for block in self.blocks:
            x = block(x, mask)
        return self.norm(x)
