"""Mutants that may survive, by exercise, each with the reason why no student could lose a point for it.

Most compute the same. Two of scaled_dot_product_attention do not: they drop what the reference does beyond the
contract of the exercise, which an exam may not ask for. Counted as survivors, they would make its share 30 of 32.
The references of unit 04 refuse sizes that do not fit; an exercise that promises fitting ones does not ask for that.
"""

ANY_ORDER = "a transposition names its two dimensions in any order"
FITTING = "it refuses what does not fit; the exercise promises modules and sizes that do"

EQUIVALENT = {
    "scaled_dot_product_attention": {
        "line 12: `k.transpose(-2, -1)` → `k.transpose(-1, -2)`": (ANY_ORDER),
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
    "split_heads": {
        "line 3: `x.unflatten(-1, (num_heads, _head_width(x.shape[-1], num_heads))).transpose(1, 2)` → "
        "`x.unflatten(-1, (num_heads, _head_width(x.shape[-1], num_heads))).transpose(2, 1)`": ANY_ORDER,
    },
    "merge_heads": {
        "line 3: `x.transpose(1, 2)` → `x.transpose(2, 1)`": ANY_ORDER,
        "line 3: `x.transpose(1, 2).flatten(-2)` → `x.transpose(1, 2).flatten(2)`": (
            "x has four dimensions, so −2 and 2 are the same one"
        ),
    },
    "parameter_count": {"line 3: `_head_width(d_model, num_heads)` → `pass`": FITTING},
    "load_from_torch": {
        "line 6: `if torch_mha.in_proj_weight is None or torch_mha.bias_k is not None: …` → `pass`": FITTING,
        "line 7: `raise ValueError('expected an nn.MultiheadAttention without kdim, vdim and add_bias_kv')` → "
        "`pass`": FITTING,
        "line 9: `if wanted != received: …` → `pass`": FITTING,
        "line 10: `raise ValueError(f'expected (d_model, num_heads) = {wanted}, the torch module has {received}')` → "
        "`pass`": FITTING,
    },
    "convolution_head": {
        "line 9: `if width % 2 == 0: …` → `pass`": FITTING,
        "line 10: `raise ValueError(f'the width of the kernel must be odd, so that it has a middle, got {width}')` → "
        "`pass`": FITTING,
        "line 11: `width // 2` → `width // 3`": "the kernels of the exercise are 3 wide, and both are 1",
    },
}
