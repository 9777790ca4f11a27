"""Mutants that may survive, by exercise, each with the reason why no student could lose a point for it.

Most compute the same. Some do not: they drop what the reference does beyond the contract of the exercise, which an
exam may not ask for: two of scaled_dot_product_attention (its share would be 30 of 32), two each of
is_permutation_equivariant, shift_matrix and relative_position_bias, five of rotate.
"""

EQUIVALENT = {
    "scaled_dot_product_attention": {
        "line 12: `k.transpose(-2, -1)` → `k.transpose(-1, -2)`": (
            "a transposition names its two dimensions in any order"
        ),
        "line 16: `_require_broadcast(mask, scores)` → `pass`": (
            "it explains a mask of the wrong shape to its caller; the exercise promises masks that fit"
        ),
        "line 18: `blocked.softmax(-1).masked_fill(mask, 0.0)` → `blocked.softmax(-1)`": (
            "it matters to a query that may look nowhere; in the exercise every query has a key to look at, "
            "since −inf, which students may use, gives nan there"
        ),
    },
    "attention_matrix": {
        "line 7: `w_q.shape[-1]` → `w_q.shape[1]`": "w_q has two dimensions, so −1 and 1 are the same one",
        "line 7: `(X @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[-1])).softmax(-1)` "
        "→ `(X @ w_q @ (X @ w_k).T / math.sqrt(w_q.shape[-1])).softmax(1)`": (
            "A has two dimensions, so −1 and 1 are the same one"
        ),
    },
    "is_permutation_equivariant": {
        "line 7: `if permuted_first.numel() == 0: …` → `pass`": (
            "it answers for a batch without a token; the exercise promises n tokens"
        ),
        "line 7: `permuted_first.numel() == 0` → `permuted_first.numel() == 1`": (
            "it asks about a batch of one number, whose only permutation leaves it as it is"
        ),
    },
    "shift_matrix": {
        "line 6: `if d_model % 2: …` → `pass`": "it explains an odd width; the exercise promises even ones",
        "line 7: `raise ValueError(f'd_model must be even, so that every sine has its cosine, got {d_model}')` "
        "→ `pass`": ("it explains an odd width; the exercise promises even ones"),
        "line 10: `torch.stack([cos, sin], -1)` → `torch.stack([cos, sin], 1)`": (
            "vectors have one dimension, so a new last one is dimension 1"
        ),
        "line 10: `torch.stack([-sin, cos], -1)` → `torch.stack([-sin, cos], 1)`": (
            "vectors have one dimension, so a new last one is dimension 1"
        ),
    },
    "relative_position_bias": {
        "line 7: `if offsets % 2 == 0: …` → `pass`": (
            "it explains a table without a middle; the exercise promises 2m + 1 entries"
        ),
        "line 8: `raise ValueError(f'the table needs an odd number of offsets, −m … m, got {offsets}')` → `pass`": (
            "it explains a table without a middle; the exercise promises 2m + 1 entries"
        ),
    },
    "rotate": {
        "line 4: `if d % 2: …` → `pass`": "it explains an odd width; the exercise promises even ones",
        "line 5: `raise ValueError(f'the width must be even, so that features come in pairs, got {d}')` → `pass`": (
            "it explains an odd width; the exercise promises even ones"
        ),
        "line 6: `torch.promote_types(x.dtype, torch.float32)` → `x.dtype`": (
            "it matters in half precision; the exercise promises float32 and float64"
        ),
        "line 6: `torch.promote_types(x.dtype, torch.float32)` → `torch.promote_types(torch.float32, x.dtype)`": (
            "the larger of two types, in any order"
        ),
        "line 8: `positions.to(x.device, exact)` → `positions`": (
            "whole numbers times frequencies have the frequencies' type, and everything is on one device"
        ),
        "line 9: `angles.cos().to(x.dtype)` → `angles.cos()`": "the angles have the type of x, but for half precision",
        "line 9: `angles.sin().to(x.dtype)` → `angles.sin()`": "the angles have the type of x, but for half precision",
    },
}
