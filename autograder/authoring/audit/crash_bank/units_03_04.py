"""Answers of units 03 and 04 that raise: tables of positions, heads, and weights copied from PyTorch's layer."""

from autograder.authoring.audit.crash_bank.crash import Crash

CRASHES = (
    Crash("is_permutation_equivariant", "tensor-truth", "return bool(f(x[:, perm]) == f(x)[:, perm])"),
    Crash("is_permutation_equivariant", "tensor-called", "return torch.allclose(f(perm(x)), perm(f(x)))"),
    Crash("is_permutation_equivariant", "permute", "return torch.allclose(f(x.permute(perm)), f(x).permute(perm))"),
    Crash(
        "sinusoidal_encoding",
        "torch-of-number",
        """
        pe = torch.zeros(max_len, d_model)
        for pos in range(max_len):
            for i in range(0, d_model, 2):
                pe[pos, i] = torch.sin(pos / base ** (i / d_model))
                pe[pos, i + 1] = torch.cos(pos / base ** (i / d_model))
        return pe
        """,
    ),
    Crash(
        "sinusoidal_encoding",
        "broadcast",
        """
        angles = torch.arange(max_len) * base ** (-torch.arange(0, d_model, 2) / d_model)
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2], pe[:, 1::2] = angles.sin(), angles.cos()
        return pe
        """,
    ),
    Crash(
        "sinusoidal_encoding",
        "slice-sizes",
        """
        angles = torch.arange(max_len)[:, None] * base ** (-torch.arange(0, d_model, 2) / d_model)
        pe = torch.zeros(max_len, d_model)
        pe[:, 0::2] = angles.sin()
        pe[:, 1::2] = angles.cos()
        return pe
        """,
    ),
    Crash(
        "sinusoidal_encoding",
        "float-for-integer",
        """
        pe = torch.zeros(max_len, d_model)
        for i in range(d_model / 2):
            pe[:, 2 * i] = torch.sin(torch.arange(max_len) / base ** (2 * i / d_model))
            pe[:, 2 * i + 1] = torch.cos(torch.arange(max_len) / base ** (2 * i / d_model))
        return pe
        """,
    ),
    Crash(
        "PositionalEncoding",
        "super-init",
        """
        class PositionalEncoding(nn.Module):
            def __init__(self, d_model, max_len=5000):
                self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

            def forward(self, x):
                return x + self.pe[:, : x.shape[1]]
        """,
    ),
    Crash(
        "PositionalEncoding",
        "broadcast",
        """
        class PositionalEncoding(nn.Module):
            def __init__(self, d_model, max_len=5000):
                super().__init__()
                self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

            def forward(self, x):
                return x + self.pe
        """,
    ),
    Crash(
        "PositionalEncoding",
        "unknown-name",
        """
        class PositionalEncoding(nn.Module):
            def __init__(self, d_model, max_len=5000):
                super().__init__()
                self.register_buffer("pe", sinusoidal_encoding(max_len, d_model).unsqueeze(0))

            def forward(self, x):
                return x + pe[:, : x.shape[1]]
        """,
    ),
    Crash(
        "shift_matrix",
        "torch-of-number",
        """
        M = torch.zeros(d_model, d_model)
        for i in range(0, d_model, 2):
            w = 10000 ** (-i / d_model)
            M[i, i] = M[i + 1, i + 1] = torch.cos(k * w)
            M[i, i + 1], M[i + 1, i] = torch.sin(k * w), -torch.sin(k * w)
        return M
        """,
    ),
    Crash(
        "shift_matrix",
        "math-of-tensor",
        """
        w = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
        cos, sin = math.cos(k * w), math.sin(k * w)
        return torch.block_diag(*[torch.tensor([[c, s], [-s, c]]) for c, s in zip(cos, sin)])
        """,
    ),
    Crash(
        "LearnedPositions",
        "parameter-of-sizes",
        """
        class LearnedPositions(nn.Module):
            def __init__(self, max_len, d_model):
                super().__init__()
                self.table = nn.Parameter(max_len, d_model)

            def forward(self, x):
                return x + self.table[: x.shape[1]]
        """,
    ),
    Crash(
        "LearnedPositions",
        "embedding-of-floats",
        """
        class LearnedPositions(nn.Module):
            def __init__(self, max_len, d_model):
                super().__init__()
                self.table = nn.Embedding(max_len, d_model)

            def forward(self, x):
                return x + self.table(x)
        """,
    ),
    Crash(
        "LearnedPositions",
        "not-subscriptable",
        """
        class LearnedPositions(nn.Module):
            def __init__(self, max_len, d_model):
                super().__init__()
                self.table = nn.Embedding(max_len, d_model)

            def forward(self, x):
                return x + self.table[: x.shape[1]]
        """,
    ),
    Crash(
        "relative_position_bias",
        "index-type",
        """
        far = table.shape[-1] // 2
        distance = torch.arange(n, dtype=torch.float32)[None] - torch.arange(n)[:, None]
        return table[..., distance.clamp(-far, far) + far]
        """,
    ),
    Crash(
        "rotate",
        "broadcast",
        """
        d = x.shape[-1]
        angles = positions * 10000 ** (-torch.arange(0, d, 2) / d)
        even, odd = x[..., 0::2], x[..., 1::2]
        turned = [even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()]
        return torch.stack(turned, -1).flatten(-2)
        """,
    ),
    Crash(
        "rotate",
        "cat-needs-list",
        """
        d = x.shape[-1]
        angles = positions[:, None] * 10000 ** (-torch.arange(0, d, 2) / d)
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.cat(even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos(), dim=-1)
        """,
    ),
    Crash(
        "split_heads",
        "float-for-integer",
        """
        B, n, d = x.shape
        return x.view(B, n, num_heads, d / num_heads).transpose(1, 2)
        """,
    ),
    Crash(
        "split_heads",
        "method-not-called",
        """
        B, n, d = x.size
        return x.view(B, n, num_heads, d // num_heads).transpose(1, 2)
        """,
    ),
    Crash(
        "split_heads",
        "number-of-elements",
        """
        B, n, d = x.shape
        return x.view(B, num_heads, d // num_heads).transpose(1, 2)
        """,
    ),
    Crash("split_heads", "parts-are-tuple", "return x.split(num_heads, dim=-1).transpose(1, 2)"),
    Crash(
        "merge_heads",
        "view-after-transpose",
        """
        B, h, n, d = x.shape
        return x.transpose(1, 2).view(B, n, h * d)
        """,
    ),
    Crash(
        "merge_heads",
        "unpack",
        """
        B, n, d = x.shape
        return x.transpose(1, 2).reshape(B, n, -1)
        """,
    ),
    Crash(
        "MultiHeadAttention",
        "pair-returned",
        """
        class MultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.num_heads = num_heads
                self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))

            def forward(self, q, k, v, mask=None):
                q, k, v = (split_heads(w(x), self.num_heads) for w, x in zip((self.wq, self.wk, self.wv), (q, k, v)))
                return self.dense(merge_heads(scaled_dot_product_attention(q, k, v, mask)))
        """,
    ),
    Crash(
        "MultiHeadAttention",
        "module-not-called",
        """
        class MultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.num_heads = num_heads
                self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))

            def forward(self, q, k, v, mask=None):
                q, k, v = q @ self.wq, k @ self.wk, v @ self.wv
                q, k, v = (split_heads(x, self.num_heads) for x in (q, k, v))
                output, weights = scaled_dot_product_attention(q, k, v, mask)
                return self.dense(merge_heads(output)), weights
        """,
    ),
    Crash(
        "MultiHeadAttention",
        "unknown-name",
        """
        class MultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads):
                super().__init__()
                self.num_heads = num_heads
                self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))

            def forward(self, q, k, v, mask=None):
                q, k = split_heads(self.wq(q), num_heads), split_heads(self.wk(k), num_heads)
                v = split_heads(self.wv(v), num_heads)
                output, weights = scaled_dot_product_attention(q, k, v, mask)
                return self.dense(merge_heads(output)), weights
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
                self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))

            def forward(self, q, k, v, mask=None):
                q, k, v = split_heads(self.wq(q)), split_heads(self.wk(k)), split_heads(self.wv(v))
                output, weights = scaled_dot_product_attention(q, k, v, mask)
                return self.dense(merge_heads(output)), weights
        """,
    ),
    Crash(
        "MultiHeadAttention",
        "super-init",
        """
        class MultiHeadAttention(nn.Module):
            def __init__(self, d_model, num_heads):
                self.wq, self.wk, self.wv, self.dense = (nn.Linear(d_model, d_model) for _ in range(4))

            def forward(self, q, k, v, mask=None):
                return scaled_dot_product_attention(self.wq(q), self.wk(k), self.wv(v), mask)
        """,
    ),
    Crash(
        "parameter_count",
        "method-not-called",
        "return sum(p.numel for p in MultiHeadAttention(d_model, num_heads).parameters())",
    ),
    Crash("parameter_count", "number-has-no-method", "return (4 * d_model * (d_model + 1)).item()"),
    Crash(
        "load_from_torch",
        "copy-sizes",
        """
        with torch.no_grad():
            mha.wq.weight.copy_(torch_mha.in_proj_weight)
            mha.wk.weight.copy_(torch_mha.in_proj_weight)
            mha.wv.weight.copy_(torch_mha.in_proj_weight)
            mha.dense.weight.copy_(torch_mha.out_proj.weight)
        """,
    ),
    Crash(
        "load_from_torch",
        "parameter-assigned",
        """
        with torch.no_grad():
            mha.wq.weight, mha.wk.weight, mha.wv.weight = torch_mha.in_proj_weight.chunk(3)
            mha.wq.bias, mha.wk.bias, mha.wv.bias = torch_mha.in_proj_bias.chunk(3)
            mha.dense.weight, mha.dense.bias = torch_mha.out_proj.weight, torch_mha.out_proj.bias
        """,
    ),
    Crash(
        "load_from_torch",
        "none",
        """
        with torch.no_grad():
            for layer, weight, bias in zip(
                (mha.wq, mha.wk, mha.wv), torch_mha.in_proj_weight.chunk(3), torch_mha.in_proj_bias.chunk(3)
            ):
                layer.weight.copy_(weight)
                layer.bias.copy_(bias)
            mha.dense.load_state_dict(torch_mha.out_proj.state_dict())
        """,
    ),
    Crash(
        "identity_head",
        "size-is-shape",
        "return scaled_dot_product_attention(torch.eye(x.shape), torch.eye(x.shape), x)[0]",
    ),
    Crash(
        "shift_head",
        "cat-dimensions",
        "return torch.cat([torch.zeros(1, x.shape[-1]), x[..., :-1, :]], dim=-2)",
    ),
    Crash("convolution_head", "matmul-sizes", "return sum(x @ kernel[:, :, j] for j in range(kernel.shape[-1]))"),
    Crash(
        "LearnedPositions",
        "slice-bounds",
        """
        class LearnedPositions(nn.Module):
            def __init__(self, max_len, d_model):
                super().__init__()
                self.table = nn.Parameter(torch.randn(max_len, d_model))

            def forward(self, x):
                return x + self.table[: x.shape]
        """,
    ),
)
