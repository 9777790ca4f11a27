"""Answers of unit 05 that raise: masks, norms, networks and blocks."""

from autograder.authoring.audit.crash_bank.crash import Crash

CRASHES = (
    Crash("create_look_ahead_mask", "triangle-rank", "return torch.triu(torch.ones(size), diagonal=1).bool()"),
    Crash("create_look_ahead_mask", "invert-floats", "return ~torch.tril(torch.ones(1, 1, size, size))"),
    Crash(
        "create_look_ahead_mask",
        "boolean-minus",
        "return 1 - torch.tril(torch.ones(1, 1, size, size, dtype=torch.bool))",
    ),
    Crash("create_look_ahead_mask", "method-not-called", "return torch.ones(1, 1, size, size).bool.triu(1)"),
    Crash(
        "create_padding_mask",
        "tensor-truth",
        """
        mask = torch.zeros_like(tokens)
        if tokens == pad_id:
            mask = 1
        return mask[:, None, None, :]
        """,
    ),
    Crash("create_padding_mask", "no-such-method", "return tokens.equals(pad_id).unsqueeze(1).unsqueeze(1)"),
    Crash("create_padding_mask", "number-for-tensor", "return torch.equal(tokens, pad_id)[:, None, None, :]"),
    Crash("combine_masks", "tensor-truth", "return masks[0] or masks[1]"),
    Crash(
        "combine_masks",
        "none",
        """
        combined = masks[0]
        for mask in masks[1:]:
            combined = combined | mask
        return combined
        """,
    ),
    Crash("combine_masks", "extra-argument", "return torch.logical_or(*masks)"),
    Crash(
        "streaming_mask",
        "tensor-truth",
        """
        i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
        return (j > i or i - j > lookback)[None, None]
        """,
    ),
    Crash(
        "safe_masked_softmax",
        "mask-dtype",
        """
        if mask is None:
            return scores.softmax(-1)
        return scores.masked_fill(mask.float(), -1e9).softmax(-1).masked_fill(mask, 0)
        """,
    ),
    Crash("safe_masked_softmax", "none", "return scores.masked_fill(mask, -1e9).softmax(-1).masked_fill(mask, 0)"),
    Crash(
        "safe_masked_softmax",
        "none",
        """
        weights = scores.masked_fill(mask, float("-inf")).softmax(-1) if mask.any() else scores.softmax(-1)
        return weights.nan_to_num(0.0)
        """,
    ),
    Crash(
        "safe_masked_softmax",
        "keepdim",
        """
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        e = (scores - scores.max(-1, keepdim=True).values).exp()
        return e / e.sum(-1)
        """,
    ),
    Crash(
        "causal_attention",
        "mask-dimensions",
        "return scaled_dot_product_attention(q, k, v, create_look_ahead_mask(q.shape[0]))",
    ),
    Crash(
        "LayerNorm",
        "keepdim",
        """
        class LayerNorm(nn.Module):
            def __init__(self, d, eps=1e-5):
                super().__init__()
                self.gamma, self.beta, self.eps = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d)), eps

            def forward(self, x):
                mean, var = x.mean(-1), x.var(-1, correction=0)
                return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
        """,
    ),
    Crash(
        "LayerNorm",
        "math-of-tensor",
        """
        class LayerNorm(nn.Module):
            def __init__(self, d, eps=1e-5):
                super().__init__()
                self.gamma, self.beta, self.eps = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d)), eps

            def forward(self, x):
                mean, var = x.mean(-1, keepdim=True), x.var(-1, correction=0, keepdim=True)
                return self.gamma * (x - mean) / math.sqrt(var + self.eps) + self.beta
        """,
    ),
    Crash(
        "LayerNorm",
        "unknown-attribute",
        """
        class LayerNorm(nn.Module):
            def __init__(self, d, eps=1e-5):
                super().__init__()
                self.gamma, self.beta = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))

            def forward(self, x):
                mean, var = x.mean(-1, keepdim=True), x.var(-1, correction=0, keepdim=True)
                return self.gamma * (x - mean) / torch.sqrt(var + self.eps) + self.beta
        """,
    ),
    Crash(
        "FeedForward",
        "misspelled",
        """
        class FeedForward(nn.Module):
            def __init__(self, d_model, d_ff, dropout=0.0):
                super().__init__()
                self.net = nn.Sequential(nn.Linear(d_model, d_ff), nn.Relu(), nn.Linear(d_ff, d_model))

            def forward(self, x):
                return self.net(x)
        """,
    ),
    Crash(
        "FeedForward",
        "module-for-tensor",
        """
        class FeedForward(nn.Module):
            def __init__(self, d_model, d_ff, dropout=0.0):
                super().__init__()
                self.first, self.second = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

            def forward(self, x):
                return self.second(nn.ReLU(self.first(x)))
        """,
    ),
    Crash(
        "FeedForward",
        "linear-sizes",
        """
        class FeedForward(nn.Module):
            def __init__(self, d_model, d_ff, dropout=0.0):
                super().__init__()
                self.first, self.second = nn.Linear(d_ff, d_model), nn.Linear(d_model, d_ff)

            def forward(self, x):
                return self.second(torch.relu(self.first(x)))
        """,
    ),
    Crash(
        "FeedForward",
        "sequential-of-list",
        """
        class FeedForward(nn.Module):
            def __init__(self, d_model, d_ff, dropout=0.0):
                super().__init__()
                self.net = nn.Sequential([nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)])

            def forward(self, x):
                return self.net(x)
        """,
    ),
    Crash(
        "EncoderBlock",
        "pair-returned",
        """
        class EncoderBlock(nn.Module):
            def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attention = MultiHeadAttention(d_model, num_heads)
                self.feed_forward = FeedForward(d_model, d_ff, dropout)
                self.norm1, self.norm2, self.drop = LayerNorm(d_model), LayerNorm(d_model), nn.Dropout(dropout)

            def forward(self, x, mask=None):
                x = self.norm1(x + self.drop(self.self_attention(x, x, x, mask)))
                return self.norm2(x + self.drop(self.feed_forward(x)))
        """,
    ),
    Crash(
        "EncoderBlock",
        "pair-returned",
        """
        class EncoderBlock(nn.Module):
            def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attention = MultiHeadAttention(d_model, num_heads)
                self.feed_forward = FeedForward(d_model, d_ff, dropout)
                self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)

            def forward(self, x, mask=None):
                x = self.norm1(x + self.self_attention(x, x, x, mask))
                return self.norm2(x + self.feed_forward(x))
        """,
    ),
    Crash(
        "EncoderBlock",
        "missing-argument",
        """
        class EncoderBlock(nn.Module):
            def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attention = MultiHeadAttention(d_model, num_heads)
                self.feed_forward = FeedForward(d_model, d_ff, dropout)
                self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)

            def forward(self, x, mask=None):
                x = self.norm1(x + self.self_attention(x, mask=mask)[0])
                return self.norm2(x + self.feed_forward(x))
        """,
    ),
    Crash(
        "EncoderBlock",
        "extra-argument",
        """
        class EncoderBlock(nn.Module):
            def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attention = MultiHeadAttention(d_model, num_heads)
                self.feed_forward = FeedForward(d_model, d_ff, dropout)
                self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)

            def forward(self, x, mask=None):
                x = self.norm1(x, self.self_attention(x, x, x, mask)[0])
                return self.norm2(x, self.feed_forward(x))
        """,
    ),
    Crash(
        "EncoderBlock",
        "missing-argument",
        """
        class EncoderBlock(nn.Module):
            def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attention = MultiHeadAttention(d_model, num_heads)
                self.feed_forward = FeedForward(d_model, d_ff, dropout)
                self.norm1, self.norm2 = LayerNorm(), LayerNorm()

            def forward(self, x, mask=None):
                x = self.norm1(x + self.self_attention(x, x, x, mask)[0])
                return self.norm2(x + self.feed_forward(x))
        """,
    ),
    Crash(
        "DecoderBlock",
        "unknown-attribute",
        """
        class DecoderBlock(nn.Module):
            def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attention = MultiHeadAttention(d_model, num_heads)
                self.cross_attention = MultiHeadAttention(d_model, num_heads)
                self.feed_forward = FeedForward(d_model, d_ff, dropout)
                self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))

            def forward(self, x, memory, self_mask=None, memory_mask=None):
                x = self.norm1(x + self.self_atention(x, x, x, self_mask)[0])
                x = self.norm2(x + self.cross_attention(x, memory, memory, memory_mask)[0])
                return self.norm3(x + self.feed_forward(x))
        """,
    ),
    Crash(
        "DecoderBlock",
        "missing-argument",
        """
        class DecoderBlock(nn.Module):
            def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attention = MultiHeadAttention(d_model, num_heads)
                self.cross_attention = MultiHeadAttention(d_model, num_heads)
                self.feed_forward = FeedForward(d_model, d_ff, dropout)
                self.norm1, self.norm2, self.norm3 = (LayerNorm(d_model) for _ in range(3))

            def forward(self, x, memory, self_mask=None, memory_mask=None):
                x = self.norm1(x + self.self_attention(x, x, x, self_mask)[0])
                x = self.norm2(x + self.cross_attention(x, memory)[0])
                return self.norm3(x + self.feed_forward(x))
        """,
    ),
)
