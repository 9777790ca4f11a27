"""Answers of units 07 and 08 that raise: model families, sampling, LoRA, and the Vision Transformer."""

from autograder.authoring.audit.crash_bank.crash import Crash

CRASHES = (
    Crash(
        "TokenStack",
        "list-called",
        """
        class TokenStack(nn.Module):
            def __init__(self, config):
                super().__init__()
                d = config.d_model
                self.embedding = nn.Embedding(config.vocab, d)
                self.positions = LearnedPositions(config.max_len, d)
                self.blocks = nn.ModuleList(
                    [
                        EncoderBlock(d, config.num_heads, config.d_ff, config.dropout, config.norm_first)
                        for _ in range(config.num_layers)
                    ]
                )
                self.norm = LayerNorm(d)

            def forward(self, tokens, mask=None):
                return self.norm(self.blocks(self.positions(self.embedding(tokens)), mask))
        """,
    ),
    Crash(
        "TokenStack",
        "not-iterable",
        """
        class TokenStack(nn.Module):
            def __init__(self, config):
                super().__init__()
                d = config.d_model
                self.embedding = nn.Embedding(config.vocab, d)
                self.positions = LearnedPositions(config.max_len, d)
                self.blocks = nn.ModuleList(
                    [EncoderBlock(d, config.num_heads, config.d_ff) for _ in config.num_layers]
                )
                self.norm = LayerNorm(d)

            def forward(self, tokens, mask=None):
                x = self.positions(self.embedding(tokens))
                for block in self.blocks:
                    x = block(x, mask)
                return self.norm(x)
        """,
    ),
    Crash(
        "EncoderOnly",
        "missing-argument",
        """
        class EncoderOnly(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.config = config
                self.stack = TokenStack(config)
                self.output = nn.Linear(config.d_model, config.vocab)

            def forward(self, tokens):
                return self.output(self.stack(tokens, create_padding_mask(tokens)))
        """,
    ),
    Crash(
        "DecoderOnly",
        "size-is-shape",
        """
        class DecoderOnly(nn.Module):
            def __init__(self, config):
                super().__init__()
                self.stack = TokenStack(config)
                self.output = nn.Linear(config.d_model, config.vocab)

            def forward(self, tokens):
                return self.output(self.stack(tokens, create_look_ahead_mask(tokens.shape)))
        """,
    ),
    Crash(
        "mask_tokens",
        "torch-of-number",
        """
        hidden = torch.bernoulli(p, generator=generator).bool()
        return tokens.masked_fill(hidden, mask_id), tokens.masked_fill(~hidden, -100)
        """,
    ),
    Crash(
        "mask_tokens",
        "tensor-truth",
        """
        inputs, labels = tokens.clone(), tokens.clone()
        if torch.rand(tokens.shape, generator=generator) < p:
            inputs = mask_id
        else:
            labels = -100
        return inputs, labels
        """,
    ),
    Crash(
        "generate",
        "values-and-indices",
        """
        for _ in range(steps):
            logits = model(prompt)[:, -1] / temperature
            if top_k is not None:
                logits = logits.masked_fill(logits < logits.topk(top_k)[:, -1:], float("-inf"))
            prompt = torch.cat([prompt, torch.multinomial(logits.softmax(-1), 1)], dim=1)
        return prompt
        """,
    ),
    Crash(
        "generate",
        "multinomial-rank",
        """
        for _ in range(steps):
            logits = model(prompt) / temperature
            prompt = torch.cat([prompt, torch.multinomial(logits.softmax(-1), 1)], dim=1)
        return prompt
        """,
    ),
    Crash(
        "generate",
        "missing-argument",
        """
        for _ in range(steps):
            logits = model(prompt)[:, -1] / temperature
            prompt = torch.cat([prompt, torch.multinomial(logits.softmax(-1))], dim=1)
        return prompt
        """,
    ),
    Crash(
        "LoRALinear",
        "matmul-sizes",
        """
        class LoRALinear(nn.Module):
            def __init__(self, base, rank):
                super().__init__()
                self.base = base.requires_grad_(False)
                self.A = nn.Parameter(torch.randn(rank, base.in_features))
                self.B = nn.Parameter(torch.zeros(base.out_features, rank))

            def forward(self, x):
                return self.base(x) + x @ self.A @ self.B
        """,
    ),
    Crash(
        "LoRALinear",
        "unknown-attribute",
        """
        class LoRALinear(nn.Module):
            def __init__(self, base, rank):
                super().__init__()
                self.base = base.requires_grad_(False)
                self.A = nn.Parameter(torch.randn(rank, base.in_feature))
                self.B = nn.Parameter(torch.zeros(base.out_feature, rank))

            def forward(self, x):
                return self.base(x) + x @ self.A.T @ self.B.T
        """,
    ),
    Crash(
        "patchify",
        "number-of-elements",
        """
        B, c, h, w = images.shape
        return images.reshape(B, h // patch * w // patch, patch * patch)
        """,
    ),
    Crash(
        "patchify",
        "float-for-integer",
        """
        B, c, h, w = images.shape
        x = images.reshape(B, c, h / patch, patch, w / patch, patch)
        return x.permute(0, 2, 4, 1, 3, 5).flatten(3).flatten(1, 2)
        """,
    ),
    Crash(
        "patchify",
        "view-after-transpose",
        """
        B, c, h, w = images.shape
        x = images.view(B, c, h // patch, patch, w // patch, patch).permute(0, 2, 4, 1, 3, 5)
        return x.view(B, -1, c * patch * patch)
        """,
    ),
    Crash(
        "unpatchify",
        "permute",
        """
        B, n, size = patches.shape
        x = patches.reshape(B, height // patch, width // patch, size // patch**2, patch, patch)
        return x.permute(0, 3, 1, 4, 2).reshape(B, -1, height, width)
        """,
    ),
    Crash(
        "PatchEmbedding",
        "linear-sizes",
        """
        class PatchEmbedding(nn.Module):
            def __init__(self, patch, in_channels, d_model):
                super().__init__()
                self.patch = patch
                self.proj = nn.Linear(in_channels * patch * patch, d_model)

            def forward(self, images):
                return self.proj(patchify(images[:, :1], self.patch))
        """,
    ),
    Crash(
        "PatchEmbedding",
        "linear-sizes",
        """
        class PatchEmbedding(nn.Module):
            def __init__(self, patch, in_channels, d_model):
                super().__init__()
                self.patch = patch
                self.proj = nn.Linear(in_channels * patch * patch, d_model)

            def forward(self, images):
                return self.proj(images)
        """,
    ),
    Crash(
        "to_convolution",
        "leaf-in-place",
        """
        d, size = embedding.proj.weight.shape
        p = embedding.patch
        conv = nn.Conv2d(size // p**2, d, p, stride=p)
        conv.weight.copy_(embedding.proj.weight.view(d, -1, p, p))
        conv.bias.copy_(embedding.proj.bias)
        return conv
        """,
    ),
    Crash(
        "to_convolution",
        "parameter-assigned",
        """
        d, size = embedding.proj.weight.shape
        p = embedding.patch
        conv = nn.Conv2d(size // p**2, d, p, stride=p)
        conv.weight = embedding.proj.weight.view(d, -1, p, p)
        conv.bias = embedding.proj.bias
        return conv
        """,
    ),
    Crash(
        "VisionTransformer",
        "cat-sizes",
        """
        class VisionTransformer(VisionTransformerParts):
            def forward(self, images):
                x = self.embedding(images)
                x = torch.cat([self.class_token, x], dim=1) + self.positions
                for block in self.blocks:
                    x = block(x)
                return self.head(self.norm(x)[:, 0])
        """,
    ),
    Crash(
        "VisionTransformer",
        "list-called",
        """
        class VisionTransformer(VisionTransformerParts):
            def forward(self, images):
                x = self.embedding(images)
                x = torch.cat([self.class_token.expand(len(x), -1, -1), x], dim=1) + self.positions
                return self.head(self.norm(self.blocks(x))[:, 0])
        """,
    ),
    Crash(
        "VisionTransformer",
        "broadcast",
        """
        class VisionTransformer(VisionTransformerParts):
            def forward(self, images):
                x = self.embedding(images) + self.positions
                x = torch.cat([self.class_token.expand(len(x), -1, -1), x], dim=1)
                for block in self.blocks:
                    x = block(x)
                return self.head(self.norm(x)[:, 0])
        """,
    ),
    Crash(
        "interpolate_positions",
        "interpolate-rank",
        """
        grid = F.interpolate(pos[:, 1:].transpose(1, 2), size=new_grid, mode="bilinear")
        return torch.cat([pos[:, :1], grid.transpose(1, 2)], dim=1)
        """,
    ),
    Crash(
        "interpolate_positions",
        "number-of-elements",
        """
        grid = pos.transpose(1, 2).reshape(1, -1, old_grid[0], old_grid[1])
        grid = F.interpolate(grid, size=new_grid, mode="bilinear", align_corners=False)
        return grid.flatten(2).transpose(1, 2)
        """,
    ),
)
