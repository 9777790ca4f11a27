"""Answers of all units that raise, written after the table of explanations, to see how far it carries."""

from autograder.authoring.audit.crash_bank.crash import Crash

CRASHES = (
    Crash(
        "teacher_forcing_loss",
        "cross-entropy-shape",
        "return F.cross_entropy(logits.flatten(), targets.flatten(), ignore_index=pad_id)",
    ),
    Crash("noam_lr", "power", "return d_model ^ -0.5 * min(step ^ -0.5, step * warmup ^ -1.5)"),
    Crash(
        "mask_tokens",
        "where-condition",
        """
        hidden = (torch.rand(tokens.shape, generator=generator) < p).float()
        return torch.where(hidden, mask_id, tokens), torch.where(hidden, tokens, -100)
    """,
    ),
    Crash("unpatchify", "fold-sizes", "return F.fold(patches, (height, width), kernel_size=patch, stride=patch)"),
    Crash(
        "interpolate_positions",
        "align-corners",
        """
        grid = pos[:, 1:].reshape(1, *old_grid, -1).permute(0, 3, 1, 2)
        grid = F.interpolate(grid, size=tuple(new_grid), mode="nearest", align_corners=False)
        return torch.cat([pos[:, :1], grid.flatten(2).transpose(1, 2)], 1)
    """,
    ),
    Crash(
        "interpolate_positions",
        "float-for-integer",
        """
        grid = pos[:, 1:].reshape(1, *old_grid, -1).permute(0, 3, 1, 2)
        grid = F.interpolate(grid, size=(new_grid[0] / 1, new_grid[1] / 1), mode="bicubic", align_corners=False)
        return torch.cat([pos[:, :1], grid.flatten(2).transpose(1, 2)], 1)
    """,
    ),
    Crash("batched_outer", "einsum", "return torch.einsum('bi,bj->bij', [a, b, a])"),
    Crash("batched_outer", "cat-needs-list", "return torch.stack(torch.outer(x, y) for x, y in zip(a, b))"),
    Crash("batched_outer", "slice-sizes", "return a.expand(a.shape[0], a.shape[1], b.shape[1]) * b[:, None]"),
    Crash(
        "scaled_dot_product_attention",
        "transpose-arguments",
        """
        scores = torch.matmul(q, k.transpose(-1)) / q.size(-1) ** 0.5
        weights = scores.softmax(-1)
        return weights @ v, weights
    """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "mask-dimensions",
        """
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores[mask] = float("-inf")
        weights = scores.softmax(-1)
        return weights @ v, weights
    """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "string",
        """
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if not mask is None:
            scores = scores.masked_fill(mask, "-inf")
        weights = scores.softmax(-1)
        return weights @ v, weights
    """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "matmul-sizes",
        """
        d_k = q.shape[-1]
        scores = q @ k.transpose(-2, -1) / math.sqrt(d_k)
        weights = scores.softmax(-1)
        return v @ weights, weights
    """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "matmul-rank",
        """
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return torch.bmm(weights, v), weights
    """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "matmul-rank",
        """
        scores = q.dot(k) / math.sqrt(q.shape[-1])
        weights = scores.softmax(-1)
        return weights @ v, weights
    """,
    ),
    Crash(
        "cross_attention",
        "unpack",
        """
        output, weights, _ = scaled_dot_product_attention(x_tgt @ w_q, x_src @ w_k, x_src @ w_v)
        return output, weights
    """,
    ),
    Crash("softmax", "unknown-name", "return torch.exp(x) / torch.exp(x).sum(dim, keepdims=true)"),
    Crash(
        "softmax",
        "size-is-shape",
        """
        x = x - x.max(dim, keepdim=True)[0]
        for i in range(x.shape):
            x[i] = torch.exp(x[i])
        return x / x.sum(dim, keepdim=True)
    """,
    ),
    Crash(
        "softmax",
        "broadcast",
        """
        m = x.max(dim=dim).values
        e = torch.exp(x - m)
        s = e.sum(dim=dim)
        return e / s
    """,
    ),
    Crash(
        "softmax_jacobian",
        "missing-argument",
        """
        y = softmax(x)
        return torch.diag(y) - torch.outer(y, y)
    """,
    ),
    Crash(
        "softmax_jacobian",
        "unknown-name",
        """
        y = torch.softmax(x, 0)
        J = torch.zeros(len(x), len(x))
        J[i, j] = y[i] * (1.0 - y[j])
        return J
    """,
    ),
    Crash(
        "saturation",
        "tensor-of-numbers",
        """
        x = torch.tensor(a, 0.0, 0.0)
        y = torch.softmax(x, 0)
        return y.max().item(), (y * (1 - y)).max().item()
    """,
    ),
    Crash(
        "sinusoidal_encoding",
        "math-of-tensor",
        """
        pe = torch.zeros(max_len, d_model)
        pos = torch.arange(max_len)
        div = torch.exp(torch.arange(0, d_model, 2) * -(math.log(base) / d_model))
        pe[:, 0::2] = math.sin(pos.unsqueeze(1) * div)
        pe[:, 1::2] = math.cos(pos.unsqueeze(1) * div)
        return pe
    """,
    ),
    Crash(
        "PositionalEncoding",
        "buffer-name",
        """
        class PositionalEncoding(nn.Module):
            def __init__(self, d_model, max_len=5000):
                super().__init__()
                self.pe = sinusoidal_encoding(max_len, d_model)
                self.register_buffer("pe", self.pe)

            def forward(self, x):
                return x + self.pe[: x.size(1)]
    """,
    ),
    Crash(
        "relative_position_bias",
        "index-too-large",
        """
        bias = torch.zeros(n, n)
        k = table.shape[-1] // 2
        for i in range(n):
            for j in range(n):
                bias[i, j] = table[..., j - i + k]
        return bias
    """,
    ),
    Crash(
        "rotate",
        "broadcast",
        """
        d = x.shape[-1]
        angles = positions[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
        x1, x2 = x.chunk(2)
        return torch.cat([x1 * angles.cos() - x2 * angles.sin(), x1 * angles.sin() + x2 * angles.cos()], dim=-1)
    """,
    ),
    Crash(
        "MultiHeadAttention",
        "missing-argument",
        """
        class MultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.num_heads = num_heads
                self.wq = self.wk = self.wv = nn.Linear(d_model)
                self.dense = nn.Linear(d_model, d_model)

            def forward(self, q, k, v, mask=None):
                return q, None
    """,
    ),
    Crash(
        "MultiHeadAttention",
        "number-of-elements",
        """
        class MultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.num_heads = num_heads
                self.d_head = d_model // num_heads
                self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))

            def forward(self, q, k, v, mask=None):
                B, n, d = q.shape
                q = self.wq(q).view(B, n, self.num_heads, self.d_head).transpose(1, 2)
                k = self.wk(k).view(B, n, self.num_heads, self.d_head).transpose(1, 2)
                v = self.wv(v).view(B, n, self.num_heads, self.d_head).transpose(1, 2)
                output, weights = scaled_dot_product_attention(q, k, v, mask)
                return self.dense(output.transpose(1, 2).reshape(B, n, d)), weights
    """,
    ),
    Crash(
        "MultiHeadAttention",
        "linear-sizes",
        """
        class MultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.num_heads = num_heads
                self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))

            def forward(self, q, k, v, mask=None):
                q, k, v = split_heads(q, self.num_heads), split_heads(k, self.num_heads), split_heads(v, self.num_heads)
                output, weights = scaled_dot_product_attention(self.wq(q), self.wk(k), self.wv(v), mask)
                return self.dense(merge_heads(output)), weights
    """,
    ),
    Crash(
        "load_from_torch",
        "unpack",
        """
        q, k, v = torch_mha.in_proj_weight
        mha.wq.weight.data = q
        mha.wk.weight.data = k
        mha.wv.weight.data = v
    """,
    ),
    Crash(
        "create_look_ahead_mask",
        "number-has-no-method",
        "return torch.triu(torch.ones(1, 1, size, size), diagonal=1) == True.unsqueeze(0)",
    ),
    Crash(
        "create_look_ahead_mask",
        "not-iterable",
        """
        mask = torch.zeros(size, size)
        for i in size:
            mask[i, i + 1:] = 1
        return mask.bool()[None, None]
    """,
    ),
    Crash(
        "create_padding_mask",
        "tuple-index",
        "return torch.tensor([[t == pad_id for t in row] for row in tokens]).view(len(tokens), 1, 1, tokens.shape[2])",
    ),
    Crash("combine_masks", "none", "return sum(masks) > 0"),
    Crash("combine_masks", "stack-sizes", "return torch.any(torch.stack(masks), dim=0)"),
    Crash(
        "safe_masked_softmax",
        "none",
        """
        scores = scores + mask * -1e9
        return scores.softmax(-1)
    """,
    ),
    Crash(
        "safe_masked_softmax",
        "none",
        """
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = F.softmax(scores, dim=-1)
        weights[mask.expand(weights.shape)] = 0
        return weights
    """,
    ),
    Crash(
        "LayerNorm",
        "super-init",
        """
        class LayerNorm(nn.Module):
            def __init__(self, d, eps=1e-5):
                self.gamma = nn.Parameter(torch.ones(d))
                self.beta = nn.Parameter(torch.zeros(d))
                self.eps = eps

            def forward(self, x):
                return x
    """,
    ),
    Crash(
        "LayerNorm",
        "unknown-name",
        """
        class LayerNorm(nn.Module):
            def __init__(self, d, eps=1e-5):
                super().__init__()
                self.gamma, self.beta, self.eps = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d)), eps

            def forward(self, x):
                m = x.mean(-1, keepdim=True)
                s = ((x - m) ** 2).mean(-1, keepdim=True)
                return gamma * (x - m) / torch.sqrt(s + eps) + beta
    """,
    ),
    Crash(
        "FeedForward",
        "number-called",
        """
        class FeedForward(nn.Module):
            def __init__(self, d_model, d_ff, dropout=0.0):
                super().__init__()
                self.l1 = nn.Linear(d_model, d_ff)
                self.l2 = nn.Linear(d_ff, d_model)
                self.drop = dropout

            def forward(self, x):
                return self.l2(self.drop(torch.relu(self.l1(x))))
    """,
    ),
    Crash(
        "FeedForward",
        "not-a-module",
        """
        class FeedForward(nn.Module):
            def __init__(self, d_model, d_ff, dropout=0.0):
                super().__init__()
                self.net = nn.Sequential(nn.Linear(d_model, d_ff), F.relu, nn.Linear(d_ff, d_model))

            def forward(self, x):
                return self.net(x)
    """,
    ),
    Crash(
        "EncoderBlock",
        "unknown-attribute",
        """
        class EncoderBlock(nn.Module):
            def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attention = MultiHeadAttention(d_model, num_heads)
                self.feed_forward = FeedForward(d_model, d_ff, dropout)
                self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)
                self.dropout = nn.Dropout(dropout)

            def forward(self, x, mask=None):
                attended, _ = self.self_attention(x, x, x, mask)
                x = self.norm1(x + self.drop(attended))
                return self.norm2(x + self.drop(self.feed_forward(x)))
    """,
    ),
    Crash(
        "EncoderBlock",
        "multihead-sizes",
        """
        class EncoderBlock(nn.Module):
            def __init__(self, d_model, num_heads, d_ff, dropout=0.0, norm_first=False):
                super().__init__()
                self.self_attention = MultiHeadAttention(num_heads, d_model)
                self.feed_forward = FeedForward(d_model, d_ff, dropout)
                self.norm1, self.norm2 = LayerNorm(d_model), LayerNorm(d_model)

            def forward(self, x, mask=None):
                x = self.norm1(x + self.self_attention(x, x, x, mask)[0])
                return self.norm2(x + self.feed_forward(x))
    """,
    ),
    Crash(
        "shift_right",
        "slice-sizes",
        """
        shifted = torch.zeros(tokens.shape)
        shifted[:, 0] = sos_id
        shifted[:, 1:] = tokens
        return shifted
    """,
    ),
    Crash("shift_right", "argument-types", "return torch.roll(tokens, 1, dims=1)[:, 0].fill_(sos_id, dim=1)"),
    Crash(
        "teacher_forcing_loss",
        "gather",
        """
        probs = logits.log_softmax(-1)
        picked = probs.gather(-1, targets)
        return -picked.mean()
    """,
    ),
    Crash(
        "teacher_forcing_loss",
        "unknown-name",
        "return F.cross_entropy(logits.view(-1, vocab), targets.view(-1), ignore_index=pad_id)",
    ),
    Crash(
        "teacher_forcing_loss",
        "loss-class",
        "return nn.CrossEntropyLoss(logits.flatten(0, 1), targets.flatten(), ignore_index=pad_id)",
    ),
    Crash("noam_lr", "number-has-no-method", "return d_model.pow(-0.5) * min(step ** -0.5, step * warmup ** -1.5)"),
    Crash(
        "Transformer",
        "number-wanted",
        """
        class Transformer(TransformerParts):
            def decode(self, tgt_in, memory, memory_mask=None):
                y = self.embed(tgt_in, self.tgt_embedding)
                for block in self.decoder:
                    y = block(y, memory, create_look_ahead_mask(tgt_in), memory_mask)
                return self.output(self.decoder_norm(y))
    """,
    ),
    Crash(
        "Transformer",
        "method-not-called",
        """
        class Transformer(TransformerParts):
            def forward(self, src, tgt_in):
                memory = self.encode(src)
                return self.decode(tgt_in, memory, self.source_mask)
    """,
    ),
    Crash(
        "training_loss",
        "cross-entropy-shape",
        """
        logits = model(src, tgt[:, :-1])
        return F.cross_entropy(logits, tgt[:, 1:], ignore_index=pad_id)
    """,
    ),
    Crash(
        "greedy_decode",
        "list-not-tensor",
        """
        memory = model.encode(src)
        tokens = [sos_id]
        for _ in range(max_len):
            logits = model.decode(tokens, memory, model.source_mask(src))
            tokens.append(logits[:, -1].argmax(-1))
        return torch.stack(tokens)
    """,
    ),
    Crash(
        "greedy_decode",
        "unknown-attribute",
        """
        memory = model.encoder(src)
        return memory
    """,
    ),
    Crash(
        "keep_to_eos",
        "broadcast",
        """
        end = (tokens == eos_id).float().argmax(1)
        return torch.where(torch.arange(tokens.shape[1]) <= end, tokens, pad_id)
    """,
    ),
    Crash(
        "mask_tokens",
        "not-imported",
        """
        hidden = random.random() < p
        return tokens.masked_fill(hidden, mask_id), tokens
    """,
    ),
    Crash(
        "generate",
        "list-not-tensor",
        """
        for _ in range(steps):
            probs = model(prompt)[:, -1].softmax(-1)
            nxt = torch.multinomial(probs, 1)
            prompt = prompt + nxt.tolist()
        return prompt
    """,
    ),
    Crash(
        "generate",
        "argument-type",
        """
        for _ in range(steps):
            logits = model(prompt)[:, -1] / temperature
            top, index = logits.topk(top_k)
            prompt = torch.cat([prompt, index[:, :1]], 1)
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
                self.base = base
                base.weight.requires_grad = False
                self.A = nn.Parameter(torch.zeros(rank, base.in_features))
                self.B = nn.Parameter(torch.zeros(base.out_features, rank))

            def forward(self, x):
                return self.base(x) + self.B @ self.A @ x
    """,
    ),
    Crash(
        "patchify",
        "missing-argument",
        """
        return images.unfold(2, patch).unfold(3, patch).reshape(len(images), -1, patch * patch)
    """,
    ),
    Crash(
        "VisionTransformer",
        "repeat",
        """
        class VisionTransformer(VisionTransformerParts):
            def forward(self, images):
                tokens = self.embedding(images)
                x = torch.cat([self.class_token.repeat(images.shape[0]), tokens], dim=1) + self.positions
                for block in self.blocks:
                    x = block(x)
                return self.head(self.norm(x[:, 0]))
    """,
    ),
    Crash(
        "VisionTransformer",
        "expand",
        """
        class VisionTransformer(VisionTransformerParts):
            def forward(self, images):
                tokens = self.embedding(images)
                cls = self.class_token.expand(images.shape[0], -1)
                x = torch.cat([cls, tokens], dim=1) + self.positions
                return self.head(self.norm(x[:, 0]))
    """,
    ),
    Crash(
        "interpolate_positions",
        "interpolate-mode",
        """
        grid = pos[:, 1:].reshape(1, *old_grid, -1)
        grid = F.interpolate(grid, new_grid, mode="bicubics")
        return torch.cat([pos[:, :1], grid.flatten(1, 2)], dim=1)
    """,
    ),
    Crash(
        "to_convolution",
        "number-of-elements",
        """
        weight = embedding.proj.weight
        conv = nn.Conv2d(weight.shape[1], weight.shape[0], embedding.patch, stride=embedding.patch)
        conv.weight.data.copy_(weight.view(conv.weight.shape))
        return conv
    """,
    ),
)
