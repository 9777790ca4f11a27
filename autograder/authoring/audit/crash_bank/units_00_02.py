"""Answers of units 00 to 02 that raise: outer products, attention on plain tensors, softmax and its derivative."""

from autograder.authoring.audit.crash_bank.crash import Crash

CRASHES = (
    Crash("batched_outer", "outer-rank", "return torch.outer(a, b)"),
    Crash("batched_outer", "matmul-sizes", "return a @ b"),
    Crash("batched_outer", "broadcast", "return a * b"),
    Crash("batched_outer", "broadcast", "return a[:, :, None] * b[:, :, None]"),
    Crash("batched_outer", "matmul-sizes", "return a.unsqueeze(2) @ b.unsqueeze(2)"),
    Crash("batched_outer", "einsum", "return torch.einsum('i,j->ij', a, b)"),
    Crash("batched_outer", "unknown-name", "return a.reshape(B, n, 1) * b.reshape(B, 1, m)"),
    Crash(
        "batched_outer",
        "not-iterable",
        """
        c = torch.zeros(a.shape[0], a.shape[1], b.shape[1])
        for i in len(a):
            c[i] = torch.outer(a[i], b[i])
        return c
        """,
    ),
    Crash(
        "batched_outer",
        "list-of-tensors",
        """
        tables = []
        for x, y in zip(a, b):
            tables.append(torch.outer(x, y))
        return torch.tensor(tables)
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "transpose-batch",
        """
        scores = q @ k.T / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "matmul-sizes",
        """
        scores = q @ k / math.sqrt(q.shape[-1])
        weights = scores.softmax(dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "torch-of-number",
        """
        scores = q @ k.transpose(-2, -1) / torch.sqrt(q.shape[-1])
        weights = scores.softmax(dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "tensor-truth",
        """
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if mask:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "unknown-name",
        """
        scores = q @ k.transpose(-2, -1) / math.sqrt(d_k)
        weights = F.softmax(scores, dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "not-imported",
        """
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = F.softmax(scores, dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "transpose-arguments",
        """
        scores = q @ k.transpose() / math.sqrt(q.shape[-1])
        weights = scores.softmax(dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "size-is-shape",
        """
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape)
        weights = scores.softmax(dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "used-before-assignment",
        """
        if mask is not None:
            scores = (q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])).masked_fill(mask, float("-inf"))
        weights = scores.softmax(dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "number-has-no-method",
        """
        scores = q @ k.transpose(-2, -1) / q.shape[-1].sqrt()
        weights = scores.softmax(dim=-1)
        return weights @ v, weights
        """,
    ),
    Crash(
        "scaled_dot_product_attention",
        "softmax-dim",
        """
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        weights = torch.softmax(scores)
        return weights @ v, weights
        """,
    ),
    Crash(
        "cross_attention",
        "matmul-order",
        """
        q, k, v = w_q @ x_tgt, w_k @ x_src, w_v @ x_src
        return scaled_dot_product_attention(q, k, v)
        """,
    ),
    Crash(
        "cross_attention",
        "pair-returned",
        """
        attention = scaled_dot_product_attention(x_tgt @ w_q, x_src @ w_k, x_src @ w_v)
        return attention, attention.softmax(-1)
        """,
    ),
    Crash(
        "cross_attention",
        "tensor-called",
        "return scaled_dot_product_attention(w_q(x_tgt), w_k(x_src), w_v(x_src))",
    ),
    Crash(
        "cross_attention",
        "missing-argument",
        "return scaled_dot_product_attention(x_tgt @ w_q, x_src @ w_k)",
    ),
    Crash("column_attention", "matmul-sizes", "return V @ torch.softmax(beta * K @ Q, dim=0)"),
    Crash(
        "column_attention",
        "math-of-tensor",
        """
        e = math.exp(beta * K.T @ Q)
        return V @ (e / e.sum(0))
        """,
    ),
    Crash("gram_attention", "matmul-sizes", "return X @ X @ X"),
    Crash(
        "attention_matrix",
        "matmul-order",
        "return torch.softmax((w_q @ X) @ (w_k @ X).T / math.sqrt(w_q.shape[-1]), -1)",
    ),
    Crash("softmax", "math-of-tensor", "return math.exp(x) / math.exp(x).sum(dim)"),
    Crash("softmax", "keepdim", "return x.exp() / x.exp().sum(dim)"),
    Crash(
        "softmax",
        "values-and-indices",
        """
        e = torch.exp(x - x.max(dim, keepdim=True))
        return e / e.sum(dim, keepdim=True)
        """,
    ),
    Crash(
        "softmax",
        "tensor-truth",
        """
        e = torch.exp(x - max(x))
        return e / e.sum(dim, keepdim=True)
        """,
    ),
    Crash(
        "softmax",
        "unknown-name",
        """
        e = np.exp(x - np.max(x, axis=dim, keepdims=True))
        return e / e.sum(axis=dim, keepdims=True)
        """,
    ),
    Crash(
        "softmax",
        "keepdim",
        """
        highest, _ = x.max(dim)
        e = (x - highest).exp()
        return e / e.sum(dim, keepdim=True)
        """,
    ),
    Crash(
        "softmax_jacobian",
        "matmul-sizes",
        """
        y = torch.softmax(x, 0)
        return torch.diag(y) - y[:, None] @ y
        """,
    ),
    Crash(
        "softmax_jacobian",
        "list-index",
        """
        y, J = torch.softmax(x, 0), []
        for i in range(len(x)):
            for j in range(len(x)):
                J[i][j] = y[i] * (1 - y[j]) if i == j else -y[i] * y[j]
        return J
        """,
    ),
    Crash(
        "softmax_jacobian",
        "boolean-minus",
        "return torch.softmax(x, 0) * (torch.eye(len(x)).bool() - torch.softmax(x, 0))",
    ),
    Crash("softmax_jacobian", "range-of-tensor", "return torch.stack([torch.softmax(x, 0)[i] * x for i in range(x)])"),
    Crash("scaled_weights", "transpose-batch", "return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)"),
    Crash(
        "saturation",
        "list-not-tensor",
        """
        y = torch.softmax([a, 0.0, 0.0], dim=0)
        return y.max().item(), (y[0] * (1 - y[0])).item()
        """,
    ),
    Crash(
        "saturation",
        "no-gradient",
        """
        x = torch.tensor([a, 0.0, 0.0])
        y = torch.softmax(x, 0)
        y[0].backward()
        return y.max().item(), x.grad[0].item()
        """,
    ),
    Crash(
        "saturation",
        "backward-of-many",
        """
        x = torch.tensor([a, 0.0, 0.0], requires_grad=True)
        y = torch.softmax(x, 0)
        y.backward()
        return y.max().item(), x.grad[0].item()
        """,
    ),
    Crash(
        "saturation",
        "item",
        """
        y = torch.softmax(torch.tensor([a, 0.0, 0.0]), 0)
        return y.item(), y[0].item() * (1 - y[0].item())
        """,
    ),
    Crash(
        "saturation",
        "numpy-cuts-gradient",
        """
        x = torch.tensor([a, 0.0, 0.0], requires_grad=True)
        y = torch.softmax(x, 0).numpy()
        return y.max(), y[0] * (1 - y[0])
        """,
    ),
    Crash(
        "beta_for_sharpness",
        "tensor-truth",
        """
        beta = 0.0
        while softargmax(scores, beta) < p:
            beta += 0.001
        return beta
        """,
    ),
    Crash(
        "beta_for_sharpness",
        "math-of-tensor",
        "return math.log(p / (1 - p)) / (scores.max() - math.log(scores))",
    ),
    Crash("preserve", "matmul-sizes", "return softargmax(beta * query @ keys, 1.0) @ values"),
)
